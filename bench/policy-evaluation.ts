import {
  type FiledPolicy,
  inputValues,
  LanguageFunctions,
  loadPolicies,
  PolicySet,
  ResourceSet,
} from '@terrane/policy';
import { bool, object, str, tuple, type Value } from '@terrane/cty';
import { memoryHost } from '@terrane/testkit';
import { median } from './measure.ts';

/** The size of HashiCorp's library: 348 policies for 58 services. */
const POLICIES = 348;
const TYPES = 58;
const RESOURCES = 1_000;
/** CPU seconds to load all policies and evaluate them. */
const GOAL = 1;
const ROUNDS = 5;

/**
 * Loads policies of the kinds of a published library and evaluates them for resources: attributes with defaults, nested
 * blocks, loops, regular expressions, JSON documents and lookups of related resources. Returns whether the CPU time
 * meets the goal.
 */
export async function policyEvaluation(scale: number): Promise<boolean> {
  const resources = resourcesOf(Math.round(RESOURCES * scale));
  const seconds: number[] = [];
  let results = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const host = memoryHost();
    await host.files.makeDirectory('policies');
    for (let i = 0; i < POLICIES; i++)
      await host.files.writeFile(`policies/p${i}.policy.hcl`, policyText(i));
    const started = process.cpuUsage();
    const functions = new LanguageFunctions(host);
    const { files, diagnostics } = await loadPolicies(host.files, ['policies'], functions.names());
    if (diagnostics.length > 0) throw new Error(diagnostics[0]?.detail);
    const inputs = new Map(files.map((file) => [file, inputValues(file, new Map(), [])] as const));
    const set = new PolicySet(files, inputs, functions);
    const byType = new Map<string, Value[]>();
    for (const { type, attrs } of resources) byType.set(type, [...(byType.get(type) ?? []), attrs]);
    const sets = new Map([...byType].map(([type, of]) => [type, new ResourceSet(of)] as const));
    const none = new ResourceSet([]);
    const evaluation = set.evaluation({ resourcesOf: (type) => sets.get(type) ?? none });
    results = 0;
    for (const { type, attrs } of resources) {
      const policies: readonly FiledPolicy[] = set.policiesFor('resource', type, 'create');
      for (const policy of policies) {
        const result = await evaluation.evaluate(policy, { attrs });
        if (result?.outcome === 'error') throw new Error(result.diagnostics[0]?.detail);
        results++;
      }
    }
    const { user, system } = process.cpuUsage(started);
    seconds.push((user + system) / 1e6);
  }
  const cpu = median(seconds);
  const met = cpu <= GOAL;
  process.stdout.write(
    `${'policies'.padEnd(20)} ${POLICIES} policies over ${resources.length} resources, ${results} evaluations: ${cpu.toFixed(2)} s of CPU time · goal ${GOAL}: ${met ? 'met' : 'MISSED'}\n`,
  );
  return met;
}

function resourcesOf(count: number): readonly { readonly type: string; readonly attrs: Value }[] {
  return Array.from({ length: count }, (_, i) => {
    const document = JSON.stringify({
      Statement: [{ Effect: 'Allow', Action: ['s3:Get*'], Resource: [`arn:${i}`] }],
    });
    const attrs = object({
      id: str(`id-${i}`),
      parent: str(`id-${(i * 7) % count}`),
      name: str(`name-${i}`),
      encrypted: bool(i % 3 > 0),
      policy: str(document),
      logging: tuple([object({ enabled: bool(i % 2 === 0), bucket: str(`logs-${i % 10}`) })]),
      tags: object({ Environment: str(i % 4 === 0 ? 'prod' : 'dev') }),
    });
    return { type: `bench_type_${i % TYPES}`, attrs };
  });
}

const CONDITIONS: readonly string[] = [
  'core::try(attrs.encrypted, false) == true',
  'core::length([for each in core::try(attrs.logging, []) : each if core::try(each.enabled, false)]) > 0',
  'core::length(core::regexall("^name-[0-9]+$", attrs.name)) == 1',
  'core::contains(["dev", "prod"], core::try(attrs.tags.Environment, ""))',
  'core::length([for each in core::jsondecode(attrs.policy).Statement : each if each.Effect == "Allow" && core::contains(each.Action, "*")]) == 0',
  'core::length(local.related) <= 1',
];

function policyText(index: number): string {
  const type = `bench_type_${index % TYPES}`;
  return `
policy {
  required_providers {
    bench = {
      source  = "example/bench"
      version = ">= 1.0.0"
    }
  }
}

input "level-${index}" {
  type    = string
  default = "advisory"
}

resource_policy "${type}" "rule_${index}" {
  enforcement_level = input.level-${index}
  filter            = core::try(attrs.name, "") != ""

  locals {
    related = core::getresources("${type}", { id = attrs.parent })
    name    = core::try(attrs.name, "")
  }

  enforce {
    condition     = ${CONDITIONS[Math.floor(index / TYPES) % CONDITIONS.length] ?? 'true'}
    error_message = "\${local.name} violates rule ${index}."
  }
}
`;
}
