"""Compare what transformers with the trained matrices and llama.cpp with the exported file say next."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from runtime import load
from train import load_adapter, load_base, with_adapter

MOST = 0.4  # llama.cpp rounds activations to 8 bits; a wrong export is off by 1 and more


def main() -> None:
    """Print the largest difference of logits and whether the same token leads, row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, required=True, help="adapter.safetensors")
    parser.add_argument("--gguf", type=Path, required=True, help="the exported adapter")
    parser.add_argument("--rows", type=Path, required=True, help="rows written by data.py")
    parser.add_argument("--rank", type=int, default=16)
    args = parser.parse_args()
    torch.set_num_threads(1)
    model = with_adapter(load_base(args.base), args.rank, 0).float().eval()
    load_adapter(model, args.adapter)
    runtime = load(args.base, args.gguf, all_logits=True).model
    same = 0
    lines = args.rows.read_text(encoding="utf-8").splitlines()[:5]
    for line in lines:
        tokens = json.loads(line)["tokens"]
        with torch.no_grad():
            ours = model(torch.tensor([tokens])).logits[0].numpy()
        runtime.reset()
        runtime.eval(tokens)
        theirs = np.asarray(runtime.scores[: len(tokens)])
        apart = float(np.abs(ours - theirs).mean())
        agree = float((ours.argmax(1) == theirs.argmax(1)).mean())
        print(f"mean difference {apart:.3f}, same leading token {agree:.3f}")
        same += apart < MOST
    raise SystemExit(0 if same == len(lines) else "the exported adapter does not say what was trained")


if __name__ == "__main__":
    main()
