import type { InstanceAddr } from '@terrane/addresses';
import type { Cause, Explanation, Plan, PlannedChange } from '@terrane/engine';
import { explainPlan, type Project } from '@terrane/ops';
import { explanationJson, explanationsText } from '@terrane/render';
import type { PredictedAction, PredictedChange, Prediction } from './model.ts';

const PLAIN = { color: false, width: 0 };

/** The prediction if no plan could be created. */
export const NO_PREDICTION: Prediction = {
  action: 'unknown',
  summary: 'Planning failed, so the effect of a plan is unknown',
  explanation: '',
  consequences: [],
};

/** Predicts the planned actions for drifted objects. */
export class Predictor {
  readonly #changes: ReadonlyMap<InstanceAddr, PlannedChange>;
  readonly #explanations: ReadonlyMap<string, Explanation>;
  readonly #consequences: ReadonlyMap<string, readonly PredictedChange[]>;
  readonly #isExact: boolean;

  private constructor(plan: Plan, explanations: readonly Explanation[], isExact: boolean) {
    this.#isExact = isExact;
    this.#changes = new Map(
      plan.changes.flatMap((change) =>
        change.deposed === undefined ? [[change.addr, change] as const] : [],
      ),
    );
    this.#explanations = new Map(
      explanations.flatMap((each) =>
        each.deposed === undefined ? [[each.address, each] as const] : [],
      ),
    );
    this.#consequences = consequencesOf(explanations);
  }

  /**
   * Explains a plan over the refreshed state.
   *
   * @param refreshed the refresh-only plan that led to the refreshed state
   * @param isExact true if providers planned the changes, false if they were computed from configuration and schema
   */
  static async open(
    project: Project,
    plan: Plan,
    refreshed: Plan,
    isExact: boolean,
  ): Promise<Predictor> {
    const { drift, previousState, outputs } = refreshed;
    const withDrift: Plan = { ...plan, drift, previousState };
    const explained = await explainPlan(project, withDrift, undefined, true);
    // The refreshed state has the new values of outputs already, so only the refresh-only plan changes them.
    const hasOutputs = outputs.some(({ action }) => action !== 'no-op');
    const ofOutputs = hasOutputs ? await explainPlan(project, refreshed) : undefined;
    const explanations = [
      ...(explained.result ?? []).filter(({ kind }) => kind !== 'output'),
      ...(ofOutputs?.result ?? []).filter(({ kind }) => kind === 'output'),
    ];
    return new Predictor(withDrift, explanations, isExact);
  }

  /** Returns the planned object of an instance; undefined if nothing is planned for it. */
  planned(addr: InstanceAddr): PlannedChange | undefined {
    return this.#changes.get(addr);
  }

  /** Returns true if drift of an object causes the change of an output. */
  isCaused(output: string): boolean {
    const explanation = this.#explanations.get(`output.${output}`);
    return explanation !== undefined && driftedIn(explanation.causes, new Set()).size > 0;
  }

  /** Predicts the effect on a drifted instance. */
  ofInstance(addr: InstanceAddr, isVanished: boolean): Prediction {
    const action = this.#actionOf(this.#changes.get(addr), isVanished);
    const consequences = (this.#consequences.get(addr.text) ?? []).filter(
      ({ address }) => address !== addr.text,
    );
    return {
      ...this.#explained(addr.text),
      action,
      summary: this.#summary(action, addr),
      consequences,
    };
  }

  /** Predicts the effect on an output. */
  ofOutput(name: string): Prediction {
    return {
      ...this.#explained(`output.${name}`),
      action: 'adopt',
      summary: 'A plan stores the new value of the output',
      consequences: [],
    };
  }

  /** Predicts the effect on stored data that is not part of an object. */
  ofRecord(): Prediction {
    return {
      action: 'adopt',
      summary: 'A plan stores the new data and changes no object',
      explanation: '',
      consequences: [],
    };
  }

  #explained(address: string): Pick<Prediction, 'explanation' | 'explanationJson'> {
    const explanation = this.#explanations.get(address);
    if (explanation === undefined) return { explanation: '' };
    return {
      // Values that the provider computes during the apply are unrelated to the drift.
      explanation: explanationsText([{ ...explanation, unknown: [] }], PLAIN).trimEnd(),
      explanationJson: explanationJson(explanation),
    };
  }

  #actionOf(change: PlannedChange | undefined, isVanished: boolean): PredictedAction {
    if (change === undefined) return isVanished ? 'forget' : 'adopt';
    return actionOf(change.action);
  }

  #summary(action: PredictedAction, addr: InstanceAddr): string {
    switch (action) {
      case 'adopt':
        return 'A plan changes nothing and stores the new values';
      case 'forget':
        return 'A plan removes the object from the state, as it is not configured';
      case 'create':
        return 'A plan creates the object again';
      case 'update':
        return this.#isExact
          ? 'A plan changes the object back in place'
          : 'A plan reverts the change, in place or by replacement; use -plan to let the provider decide which';
      case 'replace':
        return 'A plan replaces the object';
      case 'delete':
        return `A plan destroys the object, as ${addr.text} is not configured`;
      case 'unknown':
        return NO_PREDICTION.summary;
    }
  }
}

function actionOf(action: PlannedChange['action']): PredictedAction {
  switch (action) {
    case 'create':
    case 'update':
    case 'delete':
    case 'forget':
      return action;
    case 'delete-then-create':
    case 'create-then-delete':
    case 'create-then-forget':
    case 'forget-then-create':
      return 'replace';
    case 'no-op':
    case 'read':
      return 'adopt';
  }
}

/** Returns the changes that drift causes, by the address of the drifted instance. */
function consequencesOf(
  explanations: readonly Explanation[],
): ReadonlyMap<string, readonly PredictedChange[]> {
  const consequences = new Map<string, PredictedChange[]>();
  for (const { address, action, causes } of explanations) {
    if (action === 'no-op') continue;
    const predicted = action === 'invoke' ? 'update' : actionOf(action);
    for (const origin of driftedIn(causes, new Set())) {
      const existing = consequences.get(origin) ?? [];
      existing.push({ address, action: predicted });
      consequences.set(origin, existing);
    }
  }
  return consequences;
}

/** Returns the addresses of drifted instances in a tree of causes. */
function driftedIn(causes: readonly Cause[], addresses: Set<string>): ReadonlySet<string> {
  for (const cause of causes) {
    if (cause.kind === 'drift') addresses.add(cause.address);
    driftedIn(cause.causes, addresses);
  }
  return addresses;
}
