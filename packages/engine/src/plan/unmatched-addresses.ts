import {
  type AbsResource,
  ConfigResource,
  type InstanceKey,
  type ModuleInstance,
  type TargetAddr,
  targetContains,
} from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import type { Configuration } from '../config/model.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { importsByResource } from '../evaluate/imports.ts';
import { type Expansion, hasInstance } from '../evaluate/repetition.ts';
import { didYouMeanClosest } from '../lang/did-you-mean.ts';
import type { State } from '../state/model.ts';
import type { PlanInput } from './settings.ts';

/** Configuration and state in which addresses are resolved. */
interface Known {
  readonly configuration: Configuration;
  /** before and after moves */
  readonly states: readonly State[];
  /** the expansion of the included objects; undefined if no plan was attempted */
  readonly evaluation: Evaluation | undefined;
  readonly imported: ReadonlySet<ConfigResource>;
}

/**
 * Returns warnings for addresses of `-target`, `-exclude` and `-replace` that match nothing in the configuration or the
 * state: Terraform ignores them, so that a misspelt one looks like "no changes".
 */
export function unmatchedAddresses(
  request: PlanInput,
  movedState: State,
  evaluation: Evaluation | undefined,
): readonly Diagnostic[] {
  const { configuration, state, targets, targetTexts, replace } = request;
  const { excludes = [], excludeTexts = [] } = request;
  if (request.allowUnmatched === true) return [];
  if (targets.length + excludes.length + replace.length === 0) return [];
  const known: Known = {
    configuration,
    states: [state, movedState],
    evaluation,
    imported: new Set(importsByResource(configuration).keys()),
  };
  const named = [
    ...targets.map((target, i) => ({ option: 'target', target, text: targetTexts[i] })),
    ...excludes.map((target, i) => ({ option: 'exclude', target, text: excludeTexts[i] })),
    // An address without a required key has a separate warning.
    ...replace.map((instance) => ({
      option: 'replace',
      target:
        instance.key === undefined
          ? ({ kind: 'resource', resource: instance.resource } as const)
          : ({ kind: 'instance', instance } as const),
      text: instance.text,
    })),
  ];
  return named
    .filter(({ target }) => !isKnown(target, known))
    .map(({ option, target, text = textOf(target) }) => unmatchedWarning(option, text, known));
}

/** Addresses of other objects, which parse as those of resources. */
const NO_RESOURCE = /(?:^|\.)(?:action|local|output|provider|var)\.[^.]+$/;

function unmatchedWarning(option: string, text: string, known: Known): Diagnostic {
  const reason = NO_RESOURCE.test(text)
    ? `${text} is the address of neither a module nor a resource`
    : `Neither the configuration nor the state has ${text}`;
  return warningDiagnostic(
    'Address matches nothing',
    `${reason}, so the option -${option}=${quoteText(text)} has no effect on this plan.${didYouMeanClosest(text, candidates(known))}`,
  );
}

function textOf(target: TargetAddr): string {
  switch (target.kind) {
    case 'module':
      return target.instance?.text ?? target.module.text;
    case 'resource':
      return target.resource.text;
    case 'instance':
      return target.instance.text;
  }
}

function isKnown(target: TargetAddr, known: Known): boolean {
  return known.states.some((state) => isStored(target, state)) || isDeclared(target, known);
}

function isStored(target: TargetAddr, state: State): boolean {
  for (const addr of state.instances()) if (targetContains(target, addr)) return true;
  return false;
}

function isDeclared(target: TargetAddr, known: Known): boolean {
  switch (target.kind) {
    case 'module':
      return (
        known.configuration.modules.has(target.module.text) &&
        (target.instance === undefined || isExpanded(target.instance, known))
      );
    case 'resource':
      return target.resource instanceof ConfigResource
        ? isConfigured(target.resource, known)
        : isConfigured(target.resource.config, known) && isExpanded(target.resource.module, known);
    case 'instance': {
      const { resource, key } = target.instance;
      return isConfigured(resource.config, known) && isInstance(resource, key, known);
    }
  }
}

function isConfigured(resource: ConfigResource, { configuration, imported }: Known): boolean {
  const module = configuration.modules.get(resource.module.text);
  return module?.resources.has(resource.resource.text) === true || imported.has(resource);
}

/**
 * Returns true if a module has the instance, or if its keys were not evaluated or are unknown. An address without a key
 * represents all instances.
 */
function isExpanded(module: ModuleInstance, { evaluation }: Known): boolean {
  for (let at = module; at.parent !== undefined; at = at.parent) {
    if (at.callKey === undefined) continue;
    const call = evaluation?.find(at.parent)?.calls.get(at.callName);
    if (call !== undefined && !mayHave(call.expansion, at.callKey)) return false;
  }
  return true;
}

function isInstance(resource: AbsResource, key: InstanceKey, known: Known): boolean {
  if (!isExpanded(resource.module, known)) return false;
  const cell = known.evaluation?.find(resource.module)?.resources.get(resource.resource.text);
  return cell === undefined || mayHave(cell.expansion, key);
}

function mayHave(expansion: Expansion, key: InstanceKey): boolean {
  return expansion.kind === 'unknown' || hasInstance(expansion, key);
}

/** Addresses of the configuration and the state that a misspelt one may mean. */
function candidates({ configuration, states, imported }: Known): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const module of configuration.modules.values()) {
    if (!module.path.isRoot) texts.add(module.path.text);
    for (const { addr } of module.resources.values())
      texts.add(ConfigResource.of(module.path, addr).text);
  }
  for (const resource of imported) texts.add(resource.text);
  for (const state of states) {
    for (const { resource } of state.instances()) {
      texts.add(resource.module.text);
      texts.add(resource.config.text);
      texts.add(resource.text);
    }
  }
  texts.delete('');
  return texts;
}
