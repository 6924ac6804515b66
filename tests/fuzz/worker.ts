// Does the runs that the fuzzer asks for, one at a time, so that one that hangs can be ended.
import { attempt } from './attempt.ts';

process.on('message', ({ seed, names }: { seed: number; names: readonly string[] }) => {
  void attempt(seed, names).then((result) => process.send?.(result));
});
process.send?.('ready');
