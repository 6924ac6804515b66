import { APPLY, PLAN } from './commands.ts';
import { estateWorkloads } from './estate-workload.ts';
import { languageWorkloads } from './language-workload.ts';
import { largeWorkloads } from './large-workloads.ts';
import type { Workload } from './workload.ts';

/** N instances of one resource. */
export function independent(count: number): Readonly<Record<string, string>> {
  return {
    'main.tf': `resource "terraform_data" "one" {\n  count = ${count}\n  input = "value \${count.index}"\n}\n`,
  };
}

/** N instances, each of which reads one of N others. */
export function paired(count: number): Readonly<Record<string, string>> {
  return {
    'main.tf': `resource "terraform_data" "one" {
  count = ${count}
  input = count.index
}

resource "terraform_data" "two" {
  count = ${count}
  input = terraform_data.one[count.index].output
}
`,
  };
}

const CHANGING = `variable "value" {
  default = "old"
}

resource "terraform_data" "changing" {
  input = var.value
}
`;

/** The workloads that the project promises figures for. `scale` shrinks them for a quick look. */
export function workloads(scale: number): readonly Workload[] {
  const sized = (count: number): number => Math.max(1, Math.round(count * scale));
  const list: Workload[] = [
    {
      name: 'plan-10000',
      title: `plan ${sized(10_000)} new instances`,
      files: independent(sized(10_000)),
      prepare: [['init', '-input=false']],
      command: PLAN,
      fresh: false,
      referenceRounds: 3,
      rounds: 5,
      goal: 5,
    },
    {
      name: 'apply-1000',
      title: `apply ${sized(1_000)} new instances`,
      files: independent(sized(1_000)),
      prepare: [['init', '-input=false']],
      command: APPLY,
      fresh: true,
      referenceRounds: 3,
      rounds: 5,
      goal: 20,
    },
    {
      name: 'noop-plan-1000',
      title: `plan ${sized(1_000)} unchanged instances`,
      files: independent(sized(1_000)),
      prepare: [['init', '-input=false'], APPLY],
      command: PLAN,
      fresh: false,
      referenceRounds: 3,
      rounds: 5,
    },
    {
      name: 'apply-10000',
      title: `apply ${sized(10_000)} new instances`,
      files: independent(sized(10_000)),
      prepare: [['init', '-input=false']],
      command: APPLY,
      fresh: true,
      referenceRounds: 1,
      rounds: 3,
      goal: 50,
    },
    {
      name: 'noop-plan-10000',
      title: `plan ${sized(10_000)} unchanged instances`,
      files: independent(sized(10_000)),
      terraneFirst: [['init', '-input=false'], APPLY],
      prepare: [['init', '-input=false']],
      command: PLAN,
      fresh: false,
      referenceRounds: 1,
      rounds: 5,
      goal: 30,
    },
    {
      name: 'paired-1000',
      title: `apply ${sized(1_000)} instances that each read one of ${sized(1_000)} others`,
      files: paired(sized(1_000)),
      prepare: [['init', '-input=false']],
      command: APPLY,
      fresh: true,
      referenceRounds: 1,
      rounds: 3,
    },
    {
      name: 'one',
      title: 'plan one new instance',
      files: independent(1),
      prepare: [['init', '-input=false']],
      command: PLAN,
      fresh: false,
      referenceRounds: 5,
      rounds: 15,
    },
  ];
  list.push(...languageWorkloads(sized), ...estateWorkloads(sized), ...largeWorkloads(sized));
  for (const count of [1_000, 10_000, 100_000]) {
    const size = sized(count);
    list.push({
      name: `scale-plan-${count}`,
      title: `plan ${size} new instances, for the growth of the cost`,
      files: independent(size),
      prepare: [['init', '-input=false']],
      command: PLAN,
      fresh: false,
      referenceRounds: 0,
      rounds: 3,
    });
    list.push({
      name: `scale-apply-${count}`,
      title: `apply ${size} new instances, for the growth of the cost`,
      files: independent(size),
      prepare: [['init', '-input=false']],
      command: APPLY,
      fresh: true,
      referenceRounds: 0,
      rounds: 3,
    });
    list.push({
      name: `scale-noop-${count}`,
      title: `plan ${size} unchanged instances, for the growth of the cost`,
      files: independent(size),
      prepare: [['init', '-input=false'], APPLY],
      command: PLAN,
      fresh: false,
      referenceRounds: 0,
      rounds: 5,
    });
    list.push({
      name: `scale-change-${count}`,
      title: `apply one change among ${size} instances, without looking at the others`,
      files: { ...independent(size), 'one.tf': CHANGING },
      prepare: [['init', '-input=false'], APPLY],
      command: [...APPLY, '-refresh=false', '-target=terraform_data.changing', '-var=value=new'],
      fresh: true,
      referenceRounds: 0,
      rounds: 5,
    });
    list.push({
      name: `scale-paired-${count}`,
      title: `apply ${size} instances that each read one of ${size} others`,
      files: paired(size),
      prepare: [['init', '-input=false']],
      command: APPLY,
      fresh: true,
      referenceRounds: 0,
      rounds: count > 10_000 ? 1 : 3,
    });
  }
  return list;
}
