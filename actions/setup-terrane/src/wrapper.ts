/** Runs a program and provides what it printed as outputs of the step: `wrapper.js PROGRAM [ARGUMENT]...`. */
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { error as reportError, setOutput } from '@actions/core';

/** Longest output of a step, in characters: GitHub rejects those above 1 MiB. */
const MAX_OUTPUT = 1_000_000;

/** Copies a stream to another one and returns what was copied, up to the limit. */
function tee(from: NodeJS.ReadableStream, to: NodeJS.WritableStream): () => string {
  const decoder = new StringDecoder('utf8');
  let text = '';
  from.on('data', (chunk: Buffer) => {
    to.write(chunk);
    if (text.length < MAX_OUTPUT) text += decoder.write(chunk);
  });
  return () => (text + decoder.end()).slice(0, MAX_OUTPUT);
}

const [program = '', ...args] = process.argv.slice(2);
// In a process group of its own, the program receives each signal once: a second interrupt would abandon its work.
const child = spawn(program, args, {
  stdio: ['inherit', 'pipe', 'pipe'],
  detached: process.platform !== 'win32',
});
const stdout = tee(child.stdout, process.stdout);
const stderr = tee(child.stderr, process.stderr);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void child.kill(signal));
child.on('error', (error) => {
  reportError(`${program} cannot be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('close', (code) => {
  const exitCode = code ?? 1;
  // Without this variable the step has no outputs, and they would be printed.
  if (process.env['GITHUB_OUTPUT'] !== undefined) {
    setOutput('stdout', stdout());
    setOutput('stderr', stderr());
    setOutput('exitcode', String(exitCode));
  }
  // With -detailed-exitcode, 2 means success with changes.
  if (exitCode === 0 || exitCode === 2) return;
  reportError(`Terrane exited with code ${exitCode}.`);
  process.exitCode = exitCode;
});
