import { number, str, type Value } from '@terrane/cty';
import { Bug } from '@terrane/cty';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { checkApplyVariables } from './apply-variables.ts';
import { loadProject } from './load-project.ts';
import { openProject } from './project.ts';

const DECLARATIONS = `
  variable "n" {
    type    = number
    default = 1
  }
  variable "d" { default = "x" }
  variable "e" {
    ephemeral = true
    default   = null
  }
`;

interface Situation {
  readonly planned?: Readonly<Record<string, Value>>;
  readonly applyTime?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
}

async function check({
  planned = {},
  applyTime = [],
  environment = {},
  files = {},
  options = [],
}: Situation) {
  const host = memoryHost({ variables: environment });
  for (const [path, text] of Object.entries({ 'main.tf': DECLARATIONS, ...files })) {
    await host.files.writeFile(path, text);
  }
  const project = openProject(host);
  const { configuration } = await loadProject(project);
  if (configuration === undefined) throw new Bug('the configuration is fine');
  const { values, diagnostics } = checkApplyVariables(
    project,
    { variables: options.map((text) => ({ kind: 'var', text })) },
    { configuration, variables: new Map(Object.entries(planned)), applyTimeVariables: applyTime },
  );
  return { values, messages: diagnostics.map(({ severity, summary }) => `${severity} ${summary}`) };
}

const TWO = { n: str('2') };
const CHANGED = "error Can't change variable when applying a saved plan";
const UNDECLARED = 'error Value for undeclared variable';

// The messages of `terraform apply PLAN`.
describe('the variables of a saved plan', () => {
  it('are the values at the creation of the plan', async () => {
    const { values, messages } = await check({ planned: TWO });
    expect(messages).toEqual([]);
    expect(values.get('n')?.rawEquals(number(2))).toBe(true);
    expect(values.get('d')?.rawEquals(str('x'))).toBe(true);
  });

  it.each<[string, Situation, readonly string[]]>([
    ['the same value again', { planned: TWO, options: ['n=2'] }, []],
    ['another value as an option', { planned: TWO, options: ['n=3'] }, [CHANGED]],
    [
      'another value in the environment',
      { planned: TWO, environment: { TF_VAR_n: '3' } },
      ['warning Ignoring variable when applying a saved plan'],
    ],
    [
      'another value in an automatic file',
      { planned: TWO, files: { 'terraform.tfvars': 'n = 3' } },
      [],
    ],
    ['an option for one left to its default', { options: ['d=y'] }, [UNDECLARED]],
    ['the environment for one left to its default', { environment: { TF_VAR_d: 'y' } }, []],
    ['an option for what is not declared', { options: ['q=y'] }, [UNDECLARED]],
    ['no ephemeral value again', { applyTime: ['e'] }, ['error No value for required variable']],
    ['an ephemeral value again', { applyTime: ['e'], options: ['e=2'] }, []],
    [
      'an ephemeral value that was not set before',
      { options: ['e=2'] },
      ['error Ephemeral variable was not set during planning'],
    ],
  ])('%s', async (_, situation, expected) => {
    expect((await check(situation)).messages).toEqual(expected);
  });
});
