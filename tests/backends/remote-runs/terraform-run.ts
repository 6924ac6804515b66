import { spawn } from 'node:child_process';
import { findTerraform } from '../../differential/program.ts';
import type { Run } from './scenario.ts';

/** Runs the real terraform. */
export const terraformRun: Run = async (args, { cwd, env, input, interrupt }) => {
  const command = findTerraform()?.command;
  if (command === undefined) throw new Error('there is no terraform on PATH');
  const child = spawn(command, [...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  // One line for each question: what it has read too much of is lost to it.
  const lines = input.split('\n').slice(0, -1);
  let answered = 0;
  child.stdout.on('data', (piece: Buffer) => {
    output.stdout += piece.toString();
    const asked = output.stdout.split('Enter a value:').length - 1;
    for (; input !== 'held' && answered < asked; answered++) {
      const line = lines.shift();
      if (line === undefined) child.stdin.end();
      else child.stdin.write(`${line}\n`);
    }
  });
  child.stderr.on('data', (piece: Buffer) => (output.stderr += piece.toString()));
  child.stdin.on('error', () => undefined);
  // Between two looks at the run: an interrupted request is lost without a word.
  void interrupt.then(() => setTimeout(() => child.kill('SIGINT'), 500));
  const exit = await new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? -1));
  });
  child.stdin.destroy();
  return { exit, ...output };
};
