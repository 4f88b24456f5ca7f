"""Average two adapters of one lineage, keeping what each does right: average.py FIRST SECOND WEIGHT OUT."""

import sys

from safetensors import safe_open
from safetensors.torch import load_file, save_file


def main(first: str, second: str, weight: float, out: str) -> None:
    """Write (1 - weight) of the first and weight of the second, tensor by tensor."""
    one, other = load_file(first), load_file(second)
    with safe_open(first, "pt") as file:
        told = file.metadata()
    mixed = {name: (1 - weight) * one[name].float() + weight * other[name].float() for name in one}
    save_file({name: mixed[name].to(one[name].dtype) for name in one}, out, metadata=told)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
