"""Train a LoRA adapter on the starter model's own (dequantised) weights; stops and resumes at any step."""

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoModelForCausalLM, LlamaForCausalLM

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
CLIP = 1.0
POOL = 64


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation as tokens; the loss counts from `start` on."""

    tokens: list[int]
    start: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows padded on the right to one length."""

    tokens: Tensor
    mask: Tensor
    counted: Tensor


def load_base(gguf: Path) -> LlamaForCausalLM:
    """The base model's weights as they will run: dequantised, in bf16, in a model that can be trained."""
    loaded = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    config = loaded.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    model = LlamaForCausalLM(config)
    model.load_state_dict(loaded.state_dict())
    model.tie_weights()
    model.set_attn_implementation("eager")  # on a CPU faster to train than the fused kernel
    return model.to(torch.bfloat16)


def with_adapter(model: LlamaForCausalLM, rank: int, seed: int) -> PeftModel:
    """The model with fresh adapter matrices (fp32) on every linear layer."""
    torch.manual_seed(seed)
    return get_peft_model(
        model, LoraConfig(r=rank, lora_alpha=2 * rank, lora_dropout=0.0, target_modules=TARGETS, bias="none")
    )


def adapter_state(model: PeftModel) -> dict[str, Tensor]:
    """The trainable matrices by name."""
    return {n: p.detach().clone().contiguous() for n, p in model.named_parameters() if p.requires_grad}


def load_adapter(model: PeftModel, path: Path) -> None:
    """Put saved matrices back."""
    saved = load_file(path)
    parameters = dict(model.named_parameters())
    for name, value in saved.items():
        parameters[name].data.copy_(value)


def read_rows(path: Path) -> list[Row]:
    """Rows written by data.py, in their order."""
    with path.open(encoding="utf-8") as lines:
        return [Row(entry["tokens"], entry["start"]) for entry in map(json.loads, lines)]


def batches(rows: list[Row], budget: int, seed: int) -> list[list[Row]]:
    """Rows of similar length together, at most `budget` padded tokens each, in a shuffled order."""
    rng = random.Random(seed)
    order = rows[:]
    rng.shuffle(order)
    made: list[list[Row]] = []
    for at in range(0, len(order), POOL * 16):
        pool = sorted(order[at : at + POOL * 16], key=lambda row: len(row.tokens))
        current: list[Row] = []
        part: list[list[Row]] = []
        for row in pool:
            if current and len(row.tokens) * (len(current) + 1) > budget:
                part.append(current)
                current = []
            current.append(row)
        part.append(current)
        rng.shuffle(part)
        made += part
    return made


def pad(rows: list[Row]) -> Batch:
    """The tensors of one batch; `counted` marks positions whose next token is learnt."""
    width = max(len(row.tokens) for row in rows)
    tokens = torch.zeros(len(rows), width, dtype=torch.long)
    mask = torch.zeros(len(rows), width, dtype=torch.long)
    counted = torch.zeros(len(rows), width, dtype=torch.bool)
    for i, row in enumerate(rows):
        tokens[i, : len(row.tokens)] = torch.tensor(row.tokens)
        mask[i, : len(row.tokens)] = 1
        counted[i, row.start - 1 : len(row.tokens) - 1] = True
    return Batch(tokens, mask, counted)


def loss_of(model: PeftModel, batch: Batch) -> Tensor:
    """Mean cross entropy over the answers' tokens; the output layer runs on those only."""
    causal = model.base_model.model
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = causal.model(
            input_ids=batch.tokens, attention_mask=batch.mask, use_cache=False
        ).last_hidden_state
        logits = causal.lm_head(hidden[batch.counted])
    targets = batch.tokens.roll(-1, dims=1)[batch.counted]
    return torch.nn.functional.cross_entropy(logits.float(), targets)


def save(folder: Path, model: PeftModel, optimiser: torch.optim.Optimizer, step: int) -> None:
    """Write a checkpoint so that a half-written one never takes the place of a good one."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(adapter_state(model), folder / "adapter.part", metadata={"step": str(step)})
    torch.save({"optimiser": optimiser.state_dict(), "step": step}, folder / "state.part")
    (folder / "adapter.part").replace(folder / "adapter.safetensors")
    (folder / "state.part").replace(folder / "state.pt")


def restore(folder: Path, model: PeftModel, optimiser: torch.optim.Optimizer) -> int:
    """Go on from a checkpoint; how many steps it has done, 0 where there is none."""
    if not (folder / "state.pt").exists():
        return 0
    state = torch.load(folder / "state.pt")
    load_adapter(model, folder / "adapter.safetensors")
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])


def begin_with(init: Path, model: PeftModel, optimiser: torch.optim.Optimizer) -> None:
    """Take over an earlier stage, or matrices alone."""
    if init.is_file():
        load_adapter(model, init)
    else:
        restore(init, model, optimiser)


def rates(steps: int, warmup: int, first: float, last: float) -> Iterator[float]:
    """A linear warm-up, then a straight line from the first rate to the last."""
    for step in range(steps):
        if step < warmup:
            yield first * (step + 1) / warmup
        else:
            yield first + (last - first) * (step - warmup) / max(1, steps - warmup)


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True, help="the base model, GGUF")
    parser.add_argument("--data", type=Path, required=True, help="rows written by data.py")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--init", type=Path, help="an earlier stage (its folder or file) to go on from")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--first-rate", type=float, default=6e-4)
    parser.add_argument("--last-rate", type=float, default=6e-4)
    parser.add_argument("--warmup", type=int, default=50)
    parser.add_argument("--batch-tokens", type=int, default=1536)
    parser.add_argument("--save-every", type=int, default=25, help="steps")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, help="stop early (to measure speed)")
    return parser.parse_args()


def train(args: argparse.Namespace) -> None:
    """Run one stage from its checkpoint (or from the start) to its end."""
    model = with_adapter(load_base(args.base), args.rank, args.seed)
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], weight_decay=0.0)
    done = restore(args.out, model, optimiser)
    if not done and args.init:
        begin_with(args.init, model, optimiser)
    plan = batches(read_rows(args.data), args.batch_tokens, args.seed)[: args.steps]
    model.train()
    seen, started, smooth = 0, time.monotonic(), None
    for step, rate in enumerate(rates(len(plan), args.warmup, args.first_rate, args.last_rate)):
        if step < done:
            continue
        for group in optimiser.param_groups:
            group["lr"] = rate
        batch = pad(plan[step])
        loss = loss_of(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        seen += int(batch.mask.sum())
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if step % 10 == 9 or step == len(plan) - 1:
            pace = seen / (time.monotonic() - started)
            print(f"{step + 1}/{len(plan)} loss {smooth:.4f} rate {rate:.2e} {pace:.0f} tokens/s", flush=True)
        if step % args.save_every == args.save_every - 1 or step == len(plan) - 1:
            save(args.out, model, optimiser, step + 1)


def main() -> None:
    """Set the threads and train."""
    args = arguments()
    torch.set_num_threads(args.threads)
    train(args)


if __name__ == "__main__":
    main()
