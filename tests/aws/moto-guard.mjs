// Runs one server for all test files of a run, and ends it when the run has ended: `moto-guard.mjs PID FOLDER`.
// FOLDER/endpoint comes to be when the server answers.
import { spawn } from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../interop/free-port.ts';

const [, , run, folder] = process.argv;

const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(await freePort())], {
  stdio: 'ignore',
});
const endpoint = `http://127.0.0.1:${server.spawnargs.at(-1)}`;
let ended = false;
server.once('exit', () => (ended = true));

while (!ended && isRunning() && !(await answers())) await pause(100);
if (!ended) {
  // Nobody is to read half of it.
  await writeFile(join(folder, 'endpoint.new'), endpoint);
  await rename(join(folder, 'endpoint.new'), join(folder, 'endpoint'));
}
while (!ended && isRunning()) await pause(500);
server.kill();
await rm(folder, { recursive: true, force: true });

function isRunning() {
  try {
    process.kill(Number(run), 0);
    return true;
  } catch {
    return false;
  }
}

async function answers() {
  return await fetch(`${endpoint}/moto-api/`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function pause(ms) {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
