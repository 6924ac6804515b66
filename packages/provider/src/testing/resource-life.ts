import { nullOf, valueToJson } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import type { PlanAnswer, ProviderDiagnostic } from '../contract.ts';
import { proposedNew } from '../change/proposed-new.ts';
import type { CheckedProvider } from '../enforce/enforce-contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { BlockSchema } from '../schema/model.ts';
import { hasChanged, configValue, isError, plain } from './plan-scenarios.ts';
import type { PlanResult } from './plan-scenarios.ts';

/** An object in its JSON form. */
export type Written = Readonly<Record<string, unknown>>;

/** The result of one step in the life of an object. */
export interface Step {
  readonly action?: 'create' | 'no-op' | 'update' | 'replace' | 'delete';
  /** the stored object afterwards; null: it does not exist */
  readonly state: Written | null;
  readonly diagnostics?: NonNullable<PlanResult['diagnostics']>;
}

const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

/**
 * The lifecycle of an object of a resource type, executed as in a run: the configuration is validated, planned, planned
 * again for a replacement, and applied. A step with errors ends there; the response of the provider is kept.
 */
export class ResourceLife {
  readonly #provider: CheckedProvider;
  readonly #type: string;
  readonly #block: BlockSchema;
  #state: Value;
  #private: Uint8Array | undefined;
  /** progress notes of the provider */
  readonly notes: string[] = [];

  private constructor(provider: CheckedProvider, type: string, block: BlockSchema) {
    this.#provider = provider;
    this.#type = type;
    this.#block = block;
    this.#state = nullOf(impliedType(block));
  }

  /** An object of a type, which does not exist yet. */
  static async of(provider: CheckedProvider, type: string): Promise<ResourceLife> {
    const schema = (await provider.schema()).resources[type];
    if (schema === undefined) throw new Error(`no resource type ${type}`);
    return new ResourceLife(provider, type, schema.block);
  }

  /** Applies a configuration in JSON form. */
  async apply(written: Written): Promise<Step> {
    const config = configValue(this.#block, written);
    const type = this.#type;
    const checked = await this.#provider.validateResourceConfig({ type, config, capabilities });
    const diagnostics = [...(checked.diagnostics ?? [])];
    if (diagnostics.some(isError)) return this.#step(undefined, diagnostics);
    const prior = this.#state;
    let plan = await this.#plan(prior, config, false);
    diagnostics.push(...(plan.diagnostics ?? []));
    if (diagnostics.some(isError)) return this.#step(undefined, diagnostics);
    const first = plan;
    const replace =
      !prior.isNull && first.requiresReplace.some((path) => hasChanged(prior, first.planned, path));
    if (replace) {
      plan = await this.#plan(nullOf(prior.type), config, true);
      diagnostics.push(...(plan.diagnostics ?? []));
      if (diagnostics.some(isError)) return this.#step('replace', diagnostics);
      diagnostics.push(...(await this.#apply(nullOf(prior.type), nullOf(prior.type), undefined)));
      if (diagnostics.some(isError)) return this.#step('replace', diagnostics);
    } else if (prior.rawEquals(plan.planned)) {
      return this.#step('no-op', diagnostics);
    }
    diagnostics.push(...(await this.#apply(plan.planned, config, plan.private)));
    return this.#step(replace ? 'replace' : prior.isNull ? 'create' : 'update', diagnostics);
  }

  /** Refreshes the object. */
  async refresh(): Promise<Step> {
    const { diagnostics = [], ...answer } = await this.#provider.readResource({
      type: this.#type,
      prior: this.#state,
      capabilities,
      ...(this.#private && { private: this.#private }),
    });
    this.#state = answer.state;
    this.#private = answer.private;
    return this.#step(undefined, diagnostics);
  }

  /** Imports an existing object and reads it. */
  async import(id: string): Promise<Step> {
    const answer = await this.#provider.importResourceState({ type: this.#type, id });
    const [imported] = answer.imported;
    if (imported === undefined) return this.#step(undefined, answer.diagnostics ?? []);
    this.#state = imported.state;
    this.#private = imported.private;
    return this.refresh();
  }

  /** Replaces the stored object by one of another schema version. */
  async upgrade(stored: Written, version: number): Promise<Step> {
    const json = JSON.stringify(stored);
    const answer = await this.#provider.upgradeResourceState({ type: this.#type, version, json });
    this.#state = answer.state;
    return this.#step(undefined, answer.diagnostics ?? []);
  }

  async destroy(): Promise<Step> {
    const nothing = nullOf(this.#state.type);
    return this.#step('delete', await this.#apply(nothing, nothing, undefined));
  }

  async #plan(prior: Value, config: Value, replacing: boolean): Promise<PlanAnswer> {
    return this.#provider.planResourceChange({
      type: this.#type,
      prior,
      proposed: proposedNew(this.#block, prior, config),
      config,
      capabilities,
      replacing,
      ...(this.#private && { priorPrivate: this.#private }),
    });
  }

  async #apply(
    planned: Value,
    config: Value,
    plannedPrivate: Uint8Array | undefined,
  ): Promise<readonly ProviderDiagnostic[]> {
    const answer = await this.#provider.applyResourceChange({
      type: this.#type,
      prior: this.#state,
      planned,
      config,
      ...(plannedPrivate && { plannedPrivate }),
      progress: (note) => void this.notes.push(note),
    });
    this.#state = answer.state;
    this.#private = answer.private;
    return answer.diagnostics ?? [];
  }

  #step(action: Step['action'], diagnostics: readonly ProviderDiagnostic[]): Step {
    const json = valueToJson(this.#state, impliedType(this.#block));
    return {
      ...(action && { action }),
      state: JSON.parse(json) as Written | null, // an object of a resource type
      ...(diagnostics.length > 0 && { diagnostics: plain(diagnostics) }),
    };
  }
}
