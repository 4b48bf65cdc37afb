#!/usr/bin/env bash
# The whole path on the emulated lab. Every line below a `$` is real output of the command above it.
set -euo pipefail
cd "$(dirname "$0")/.."

run() {
  printf '\n\033[1m$ %s\033[0m\n' "$*"
  "$@"
}
say() { printf '\n\033[36m# %s\033[0m\n' "$*"; }
down() { fabric-auto lab down >/dev/null 2>&1 || true; }
trap down EXIT

down
rm -rf .fabric-auto build

say "The intent: 2 SR Linux spines and 4 SONiC leaves, on one screen."
run cat intents/fabric.yaml
run fabric-auto validate
run fabric-auto compile
run head -5 build/fabric/east/cabling.csv

say "Emulated switches with factory configuration."
run fabric-auto lab up

say "What will change (the first lines of many), then do it: commit-confirm, verify, confirm."
fabric-auto plan -o build/plan.json >build/plan.txt
printf '\n\033[1m$ fabric-auto plan -o build/plan.json\033[0m\n'
head -8 build/plan.txt && echo '  …' && tail -1 build/plan.txt
run fabric-auto deploy build/plan.json

say "The network is as intended: nothing differs, everything that should be up is up."
run fabric-auto diff --detailed-exitcode
run fabric-auto verify

say "Two uplinks of leaf-01 are plugged the wrong way round. The configuration is still right; the network is not."
run fabric-auto lab fault swap east-leaf-01:Ethernet504 east-leaf-01:Ethernet496
printf '\n\033[1m$ fabric-auto verify\033[0m\n'
code=0
fabric-auto verify --timeout 3s || code=$?
printf 'exit code %s\n' "$code"
[ "$code" -eq 7 ] || { echo "the swap was not found" >&2; exit 1; }

say "Plugged right again."
run fabric-auto lab fault clear
run fabric-auto verify
