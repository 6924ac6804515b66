// Completion of command lines in a real bash on a terminal.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const programs = resolve(import.meta.dirname, '../bin');

it('completes commands, options and paths in bash', async () => {
  const home = mkdtempSync(join(tmpdir(), 'terrane-completion-'));
  const env = { PATH: `${programs}:${process.env['PATH'] ?? ''}`, HOME: home, TERM: 'dumb' };
  writeFileSync(join(home, '.bashrc'), "PS1='ready> '");
  writeFileSync(join(home, 'my-plan'), '');
  mkdirSync(join(home, 'folder'));
  writeFileSync(join(home, 'folder/inner'), '');
  // Here it is asked for in the way of a user.
  const shell = spawn('script', ['-qc', 'bash --noprofile -i', '/dev/null'], { cwd: home, env });
  let shown = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk));
  const seen = async (text: string): Promise<void> => {
    while (!shown.includes(text)) {
      if (shell.exitCode !== null) throw new Error(`the shell ended: ${shown}`);
      await new Promise((done) => setTimeout(done, 20));
    }
    shown = shown.slice(shown.indexOf(text) + text.length);
  };
  try {
    await seen('ready> ');
    shell.stdin.write('terrane -install-autocomplete && . ~/.bashrc\n');
    await seen('New shells complete the command lines of terrane.');
    await seen('ready> ');
    shell.stdin.write('terrane vali\t');
    // A finished word is followed by a space, so that the next one can be typed or completed at once.
    await seen('terrane validate ');
    shell.stdin.write('-no-t\t');
    await seen('-no-tests ');
    shell.stdin.write('\u0015terrane show my\t');
    await seen('terrane show my-plan ');
    // An option waits for its value, and a directory for what is in it.
    shell.stdin.write('\u0015terrane graph -ty\tplan-d\t');
    await seen('-type=plan-destroy ');
    shell.stdin.write('\u0015terrane show fold\tinn\t');
    await seen('terrane show folder/inner ');
    shell.stdin.write('\u0015exit\n');
    expect(await new Promise((done) => shell.once('close', done))).toBe(0);
  } finally {
    shell.kill();
    rmSync(home, { recursive: true, force: true });
  }
});
