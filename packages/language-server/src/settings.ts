/** The settings of the server, as clients send them under `terrane` or as `initializationOptions`. */
export interface Settings {
  /** false: nothing of the workspace is executed, in particular no provider plugins */
  readonly trusted: boolean;
  /** values of input variables for evaluated values */
  readonly variables: Readonly<Record<string, string>>;
  /** variable files for evaluated values, relative to the module */
  readonly variableFiles: readonly string[];
  /** the workspace for evaluated values; undefined: the selected one */
  readonly workspace: string | undefined;
  readonly inlayHints: { readonly values: boolean };
  readonly validation: {
    /** validate while typing, not only on save */
    readonly onType: boolean;
    /** ask providers to validate, in the background */
    readonly providers: boolean;
  };
  readonly diagnostics: {
    /** let a client that can ask for diagnostics do so, even if it also accepts them unasked */
    readonly pull: boolean;
  };
  readonly state: {
    /** read the state, for values on hover and imports */
    readonly enabled: boolean;
  };
  readonly codeLens: {
    readonly plan: boolean;
    readonly tests: boolean;
    readonly references: boolean;
  };
}

/** The settings for clients that do not send any. */
export const DEFAULT_SETTINGS: Settings = {
  trusted: false,
  variables: {},
  variableFiles: [],
  workspace: undefined,
  inlayHints: { values: true },
  validation: { onType: true, providers: true },
  diagnostics: { pull: false },
  state: { enabled: false },
  codeLens: { plan: true, tests: true, references: false },
};

/** Merges the settings of a client into `base`. Entries of a wrong type are ignored. */
export function readSettings(clientSettings: unknown, base: Settings = DEFAULT_SETTINGS): Settings {
  const fields = record(clientSettings);
  const hints = record(fields['inlayHints']);
  const validation = record(fields['validation']);
  const diagnostics = record(fields['diagnostics']);
  const state = record(fields['state']);
  const lens = record(fields['codeLens']);
  const { workspace } = fields as { workspace?: unknown };
  return {
    trusted: flag(fields['trusted'], base.trusted),
    variables: 'variables' in fields ? texts(fields['variables']) : base.variables,
    variableFiles: Array.isArray(fields['variableFiles'])
      ? fields['variableFiles'].filter((each) => typeof each === 'string')
      : base.variableFiles,
    workspace:
      typeof workspace === 'string' ? (workspace === '' ? undefined : workspace) : base.workspace,
    inlayHints: { values: flag(hints['values'], base.inlayHints.values) },
    validation: {
      onType: flag(validation['onType'], base.validation.onType),
      providers: flag(validation['providers'], base.validation.providers),
    },
    diagnostics: { pull: flag(diagnostics['pull'], base.diagnostics.pull) },
    state: { enabled: flag(state['enabled'], base.state.enabled) },
    codeLens: {
      plan: flag(lens['plan'], base.codeLens.plan),
      tests: flag(lens['tests'], base.codeLens.tests),
      references: flag(lens['references'], base.codeLens.references),
    },
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function flag(value: unknown, fallback: boolean): boolean {
  return typeof value === 'boolean' ? value : fallback;
}

function texts(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(record(value)).flatMap(([name, each]) =>
      typeof each === 'string'
        ? [[name, each]]
        : each === undefined
          ? []
          : [[name, JSON.stringify(each)]],
    ),
  );
}
