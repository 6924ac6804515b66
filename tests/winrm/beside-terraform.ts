// Configurations applied to a server of their own by Terrane, and what Terraform was recorded to do with
// another one. Recorded anew with TERRANE_RECORD=winrm; where `terraform` is, it is asked too.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { findTerraform } from '../differential/program.ts';
import { apply, type Project, TERRANE } from '../ssh/both-programs.ts';
import {
  type Asked,
  inShort,
  steadyNames,
  type ServerOptions,
  WinrmServer,
} from './winrm-server.ts';

/** The output of a run, and the effects on the machine. */
export interface Outcome {
  readonly code: number | null;
  readonly shown: readonly string[];
  readonly problems: string;
  /** path → content */
  readonly files: Readonly<Record<string, string>>;
  /** what was asked for in each shell that was used, without what all requests have in common */
  readonly shells: readonly (readonly string[])[];
  /** what the requests of each kind have in common */
  readonly requests: Readonly<Record<string, Asked>>;
  readonly logins: readonly string[];
  /** what was left open there */
  readonly open: WinrmServer['open'];
}

/** A configuration in which `PORT` stands for the port of the server. */
export interface Task extends Omit<Project, 'config'> {
  readonly config: string;
  readonly server?: ServerOptions;
}

/** Applies by Terrane, and gives what Terraform does beside it. */
export async function besideTerraform(name: string, task: Task): Promise<[Outcome, Outcome]> {
  const url = new URL(`recorded/${name}.json`, import.meta.url);
  const terraform = findTerraform();
  const [ours, theirs] = await Promise.all([
    applied(TERRANE, task),
    terraform === undefined ? undefined : applied(terraform.command, task),
  ]);
  if (theirs !== undefined && process.env['TERRANE_RECORD'] === 'winrm') {
    writeFileSync(url, `${JSON.stringify(theirs, undefined, 2)}\n`);
  }
  // It was written by the lines above.
  const recorded = JSON.parse(readFileSync(url, 'utf8')) as Outcome;
  if (theirs !== undefined) expect(recorded).toEqual(theirs);
  return [ours, recorded];
}

/** Applies by a program, to a server that hears nothing else. */
export async function applied(program: string, { server, ...task }: Task): Promise<Outcome> {
  const machine = await WinrmServer.start(server);
  try {
    const port = String(machine.port);
    const { code, shown, problems } = await apply(program, {
      ...task,
      config: task.config.replaceAll('PORT', port),
    });
    const steady = (text: string): string => text.replaceAll(port, 'PORT');
    return {
      code,
      // Terraform does not wait until what a script said last is shown: it may come among what comes next.
      shown: shown.map(steady).toSorted(),
      problems: steady(problems),
      files: Object.fromEntries(
        [...machine.machine.files]
          .map(([path, data]): [string, string] => [
            steadyNames(path),
            inShort(data.toString('utf8')),
          ])
          .toSorted(([first], [other]) => (first < other ? -1 : 1)),
      ),
      shells: shellsOf(machine.asked),
      requests: Object.fromEntries(
        machine.asked.map(({ Command: _line, ...others }) => [kindOf(others), others]),
      ),
      // The number of requests depends on the number of connections.
      logins: [...new Set(machine.logins)],
      open: machine.open,
    };
  } finally {
    await machine.close();
  }
}

/** Shells in which something ran, each with its actions; scripts that only remove a temporary file are left out. */
function shellsOf(asked: readonly Asked[]): string[][] {
  const shells: string[][] = [];
  for (const { Command, ...others } of asked) {
    const kind = kindOf(others);
    if (kind === 'Create') shells.push([]);
    shells.at(-1)?.push(Command === undefined ? kind : `${kind} ${Command}`);
  }
  return shells.filter(
    (shell) =>
      shell.length > 2 && !shell.some((request) => request.startsWith('Command powershell remove')),
  );
}

function kindOf({ Action = '' }: Asked): string {
  return /(\w+)$/.exec(Action)?.[1] ?? '';
}
