"""Write a trained adapter as a GGUF file that llama.cpp applies on the base model."""

import argparse
import re
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file

NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
HEADS = {"attn_q": 9, "attn_k": 3}
KEY = re.compile(r"layers\.(\d+)\.(.+?)\.lora_([AB])\.")
Matrix = npt.NDArray[np.float32]


def permuted(rows: Matrix, heads: int) -> Matrix:
    """Rows of a query or key matrix in the order llama.cpp rotates them."""
    size, rank = rows.shape
    return rows.reshape(heads, 2, size // heads // 2, rank).swapaxes(1, 2).reshape(size, rank)


def tensors(adapter: Path) -> dict[str, Matrix]:
    """The adapter's matrices under llama.cpp's names."""
    found: dict[str, Matrix] = {}
    for name, value in load_file(adapter).items():
        match = KEY.search(name)
        if match is None:
            raise ValueError(f"{adapter}: unknown tensor {name}")
        layer, module, side = match.groups()
        target = NAMES[module]
        if side == "B" and target in HEADS:
            value = permuted(value, HEADS[target])
        found[f"blk.{layer}.{target}.weight.lora_{side.lower()}"] = value
    return found


def write(adapter: Path, out: Path, alpha: float) -> None:
    """Write the GGUF file, matrices as f16."""
    part = out.with_suffix(".part")
    writer = gguf.GGUFWriter(part, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    writer.add_name("Askfirst starter adapter for SmolLM2-135M-Instruct")
    writer.add_license("apache-2.0")
    for name, value in sorted(tensors(adapter).items()):
        writer.add_tensor(name, np.ascontiguousarray(value.astype(np.float16)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(out)


def main() -> None:
    """Read the command line and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapter", type=Path, help="adapter.safetensors written by train.py")
    parser.add_argument("out", type=Path, help="the GGUF file to write")
    parser.add_argument("--alpha", type=float, default=32.0)
    args = parser.parse_args()
    write(args.adapter, args.out, args.alpha)


if __name__ == "__main__":
    main()
