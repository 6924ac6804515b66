// The run of an experiment in a process of its own, which can be stopped.
import { applyTwenty, diagnosticsText } from './apply-twenty.ts';
import { type ElsewhereTask, operationElsewhere } from './elsewhere.ts';
import { openTarget } from './open-target.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the harness that says it
const task = JSON.parse(process.argv[2] ?? '') as ElsewhereTask;
const run = await applyTwenty({
  storage: await openTarget(task.target),
  folder: task.folder,
  operation: (number) => operationElsewhere(task, number),
});
process.stdout.write(diagnosticsText(await run.ended));
