import { expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const ESCAPE = '\u001b[';

it.each([
  { command: 'plan', terminal: true, environment: {}, colors: true },
  { command: 'plan', terminal: false, environment: {}, colors: false },
  { command: 'plan -no-color', terminal: true, environment: {}, colors: false },
  { command: 'plan', terminal: true, environment: { NO_COLOR: '1' }, colors: false },
  { command: 'plan', terminal: true, environment: { TERM: 'dumb' }, colors: false },
  { command: 'plan', terminal: false, environment: { FORCE_COLOR: '1' }, colors: true },
  { command: 'plan', terminal: true, environment: { FORCE_COLOR: '0' }, colors: false },
  { command: 'plan -no-color', terminal: true, environment: { FORCE_COLOR: '1' }, colors: false },
])(
  '$command on a terminal ($terminal) with $environment has colors: $colors',
  async ({ command, terminal, environment, colors }) => {
    const bench = await Workbench.with({ 'main.tf': 'resource "terraform_data" "a" {}\n' });
    const { stdout } = await bench.run(command, { terminal, environment });
    expect(stdout.includes(ESCAPE)).toBe(colors);
  },
);
