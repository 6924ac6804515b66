import { moduleSourceText, parseProviderPart, ProviderSource } from '@terrane/addresses';
import { compareText, quoteText } from '@terrane/cty';
import { errorDiagnostic, warningDiagnostic, type Diagnostic, type Range } from '@terrane/hcl';
import type { Module, ModuleCall, PassedProvider, ProviderRef } from './model.ts';
import { checkProviderInstances } from './provider-instances.ts';
import { providerKey } from './provider-ref.ts';

/** Checks provider declarations of modules and passed providers, down the tree (validateProviderConfigs). */
export function checkProviderPassing(root: Module, diagnostics: Diagnostic[]): void {
  checkModule(root, undefined, undefined, diagnostics);
}

const defaultSource = (name: string): ProviderSource =>
  ProviderSource.of('registry.terraform.io', 'hashicorp', name);

function checkModule(
  module: Module,
  call: ModuleCall | undefined,
  noConfigurationRange: Range | undefined,
  diagnostics: Diagnostic[],
): void {
  for (const child of module.children.values()) {
    const childCall = child.call;
    if (childCall === undefined) continue;
    const forbidding =
      childCall.count?.range ??
      childCall.forEach?.range ??
      childCall.enabled?.range ??
      childCall.dependsOn[0]?.range;
    checkModule(child, childCall, forbidding ?? noConfigurationRange, diagnostics);
  }
  new ModuleCheck(module, call, noConfigurationRange, diagnostics).run();
}

class ModuleCheck {
  readonly #module: Module;
  readonly #call: ModuleCall | undefined;
  readonly #noConfigurationRange: Range | undefined;
  readonly #diagnostics: Diagnostic[];
  readonly #passedIn: Map<string, PassedProvider> = new Map();
  readonly #empty: Map<string, Range> = new Map();
  readonly #configured: Map<string, Range> = new Map();
  readonly #aliases: Map<string, ProviderSource> = new Map();
  readonly #localNames: Map<string, ProviderSource> = new Map();
  readonly #moduleText: string;
  readonly #parentText: string;

  constructor(
    module: Module,
    call: ModuleCall | undefined,
    noConfigurationRange: Range | undefined,
    diagnostics: Diagnostic[],
  ) {
    this.#module = module;
    this.#call = call;
    this.#noConfigurationRange = noConfigurationRange;
    this.#diagnostics = diagnostics;
    this.#moduleText = module.path.text || 'the root module';
    this.#parentText = module.path.parent?.text || 'the root module';
  }

  run(): void {
    this.#collect();
    this.#checkImpliedNames();
    for (const passed of this.#call?.providers ?? []) {
      this.#passedIn.set(providerKey(passed.inChild), passed);
    }
    checkProviderInstances(this.#module, new Set(this.#configured.keys()), this.#diagnostics);
    this.#checkPassedDown();
    const call = this.#call;
    if (call === undefined) return;
    this.#checkOwnConfigurations();
    this.#checkRequiredAliases(call);
    for (const [name, passed] of this.#passedIn) this.#checkPassedIn(name, passed);
    this.#checkEmptyBlocks();
  }

  #collect(): void {
    for (const provider of this.#module.providers.values()) {
      const { diagnostics } = provider.body.content({ attributes: [], blocks: [] });
      const isEmpty =
        provider.version === undefined && !diagnostics.some((d) => d.severity === 'error');
      (isEmpty ? this.#empty : this.#configured).set(providerKey(provider), provider.range);
    }
    const firstNames = new Map<ProviderSource, string>();
    for (const required of this.#module.requiredProviders.values()) {
      const first = firstNames.get(required.source);
      const { display, type } = required.source;
      if (first !== undefined) {
        this.#warn(
          'Duplicate required provider',
          `Provider ${display} with the local name ${quoteText(required.name)} was previously required as ${quoteText(first)}. A provider can only be required once within required_providers.`,
          required.range,
        );
      } else if (required.source.isDefault && required.name !== type) {
        const isConfigured = [...this.#module.providers.values()].some((p) => p.name === type);
        if (isConfigured) {
          this.#warn(
            'Duplicate required provider',
            `Provider ${display} with the local name ${quoteText(required.name)} was implicitly required via a configuration block as ${quoteText(type)}. The provider configuration block name must match the name used in required_providers.`,
            required.range,
          );
        }
      }
      firstNames.set(required.source, required.name);
      this.#localNames.set(required.name, required.source);
      for (const alias of required.aliases) {
        this.#aliases.set(`${required.name}.${alias}`, required.source);
      }
    }
  }

  #checkImpliedNames(): void {
    // Names without a diagnostic; most resources of a module have the same.
    const sound = new Set<string>();
    for (const resource of this.#module.resources.values()) {
      if (resource.providerLocal.explicit || resource.addr.mode === 'ephemeral') continue;
      const localName = resource.addr.impliedProvider;
      if (sound.has(localName)) continue;
      const normal = parseProviderPart(localName);
      if (typeof normal !== 'string') {
        this.#diagnostics.push(
          errorDiagnostic(
            'Invalid provider local name',
            `${quoteText(localName)} is an invalid implied provider local name: ${normal.error}`,
            resource.range,
          ),
        );
        continue;
      }
      const implied = this.#localNames.has(localName)
        ? undefined
        : ProviderSource.implied(localName);
      let isSound = true;
      for (const [name, source] of this.#localNames) {
        if (source !== implied) continue;
        isSound = false;
        const previous = quoteText(name);
        this.#warn(
          'Duplicate required provider',
          `Provider ${quoteText(implied.text)} was implicitly required via resource ${quoteText(resource.addr.text)}, but listed in required_providers as ${previous}. Either the local name in required_providers must match the resource name, or the ${previous} provider must be assigned within the resource block.`,
          resource.range,
        );
      }
      if (isSound) sound.add(localName);
    }
  }

  #checkPassedDown(): void {
    for (const modCall of this.#module.calls.values()) {
      for (const { inParent } of modCall.providers ?? []) {
        if (inParent.alias === undefined) this.#checkPassedDefault(inParent);
      }
    }
  }

  #checkPassedDefault(inParent: ProviderRef): void {
    const name = inParent.name;
    const display = defaultSource(name).display;
    const isConfigured = this.#configured.has(name);
    if (!isConfigured && !this.#localNames.has(name)) {
      this.#warn(
        'Reference to undefined provider',
        `There is no explicit declaration for local provider name ${quoteText(name)} in ${this.#moduleText}, so Terraform is assuming you mean to pass a configuration for provider ${quoteText(display)}.\n\nTo clarify your intent and silence this warning, add to ${this.#parentText} a required_providers entry named ${quoteText(name)} with source = ${quoteText(display)}, or a different source address if appropriate.`,
        inParent.nameRange,
      );
      return;
    }
    const call = this.#call;
    if (call === undefined || isConfigured || this.#passedIn.has(name)) return;
    this.#warn(
      'Missing required provider configuration',
      `The configuration for ${this.#moduleText} expects to inherit a configuration for provider ${display} with local name ${quoteText(name)}, but ${this.#parentText} doesn't pass a configuration under that name.\n\nTo satisfy this requirement, add an entry for ${quoteText(name)} to the "providers" argument in the module ${quoteText(call.name)} block.`,
      call.range,
    );
  }

  #checkOwnConfigurations(): void {
    if (this.#configured.size > 0 && this.#noConfigurationRange !== undefined) {
      const source = this.#call?.source;
      this.#fail(
        'Module is incompatible with count, for_each, and depends_on',
        `The module at ${this.#module.path} is a legacy module which contains its own local provider configurations, and so calls to it may not use the count, for_each, or depends_on arguments.\n\nIf you also control the module ${quoteText(source === undefined ? '' : moduleSourceText(source))}, consider updating this module to instead expect provider configurations to be passed by its caller.`,
        this.#noConfigurationRange,
      );
    }
    for (const name of this.#configured.keys()) {
      const passed = this.#passedIn.get(name);
      if (passed === undefined) continue;
      this.#fail(
        'Cannot override provider configuration',
        `The configuration of ${this.#moduleText} has its own local configuration for ${name}, and so it cannot accept an overridden configuration provided by ${this.#parentText}.`,
        passed.inChild.nameRange,
      );
    }
  }

  #checkRequiredAliases(call: ModuleCall): void {
    for (const [name, source] of this.#aliases) {
      if (this.#configured.has(name) || this.#passedIn.has(name)) continue;
      this.#fail(
        'Missing required provider configuration',
        `The child module requires an additional configuration for provider ${source.display}, with the local name ${quoteText(name)}.\n\nRefer to the module's documentation to understand the intended purpose of this additional provider configuration, and then add an entry for ${name} in the "providers" meta-argument in the module block to choose which provider configuration the module should use for that purpose.`,
        call.range,
      );
    }
  }

  #checkPassedIn(name: string, passed: PassedProvider): void {
    const { inChild, inParent } = passed;
    const declared = this.#localNames.get(name);
    const aliased = this.#aliases.get(name);
    const source =
      aliased ??
      declared ??
      declaredType(this.#module, inChild.name) ??
      defaultSource(inChild.name);
    if (declared === undefined && aliased === undefined && !this.#empty.has(name)) {
      const summary = 'Reference to undefined provider';
      if (source.isDefault) {
        this.#warn(
          summary,
          `There is no explicit declaration for local provider name ${quoteText(name)} in ${this.#moduleText}, so Terraform is assuming you mean to pass a configuration for ${quoteText(source.display)}.\n\nIf you also control the child module, add a required_providers entry named ${quoteText(name)} with the source address ${quoteText(source.display)}.`,
          inChild.nameRange,
        );
      } else {
        this.#fail(
          summary,
          `The child module does not declare any provider requirement with the local name ${quoteText(name)}.\n\nIf you also control the child module, you can add a required_providers entry named ${quoteText(name)} with the source address ${quoteText(source.display)} to accept this provider configuration.`,
          inChild.nameRange,
        );
      }
    }
    const parent = this.#module.parent;
    const parentSource =
      parent?.requiredProviders.get(name)?.source ??
      (parent === undefined ? undefined : declaredType(parent, inParent.name)) ??
      defaultSource(inParent.name);
    if (source !== parentSource) this.#reportMismatch(passed, source, parentSource);
  }

  #reportMismatch(
    passed: PassedProvider,
    source: ProviderSource,
    parentSource: ProviderSource,
  ): void {
    const { inChild, inParent } = passed;
    const summary = 'Provider type mismatch';
    for (const [localName, local] of this.#localNames) {
      if (local !== parentSource) continue;
      this.#fail(
        summary,
        `The assigned configuration is for provider ${quoteText(parentSource.display)}, but local name ${quoteText(inChild.name)} in ${this.#parentText} represents ${quoteText(source.display)}.\n\nTo pass this configuration to the child module, use the local name ${quoteText(localName)} instead.`,
        inChild.nameRange,
      );
      return;
    }
    const child = quoteText(providerKey(inChild));
    this.#fail(
      summary,
      `The local name ${quoteText(providerKey(inParent))} in ${this.#parentText} represents provider ${quoteText(parentSource.display)}, but ${child} in ${this.#moduleText} represents ${quoteText(source.display)}.\n\nEach provider has its own distinct configuration schema and provider types, so this module's ${child} can be assigned only a configuration for ${source.display}, which is not required by ${this.#moduleText}.`,
      inParent.nameRange,
    );
  }

  #checkEmptyBlocks(): void {
    const byProvider = new Map<string, { keys: string[]; ranges: Range[]; aliases: number }>();
    for (const [key, range] of this.#empty) {
      const local = key.split('.', 1)[0] ?? key;
      let group = byProvider.get(local);
      if (group === undefined) {
        group = { keys: [], ranges: [], aliases: 0 };
        byProvider.set(local, group);
      }
      group.keys.push(key);
      group.ranges.push(range);
      if (local !== key) group.aliases++;
    }
    for (const [name, { keys, ranges, aliases }] of byProvider) {
      const source = this.#localNames.get(keys[0] ?? name) ?? defaultSource(name);
      const first = ranges.sort((a, b) => compareText(String(a), String(b)))[0];
      const aliasLines =
        aliases === 0
          ? ''
          : `      configuration_aliases = [\n${keys
              .sort(compareText)
              .map((key) => `        ${key},\n`)
              .join('')}      ]\n`;
      this.#warn(
        'Redundant empty provider block',
        `Earlier versions of Terraform used empty provider blocks ("proxy provider configurations") for child modules to declare their need to be passed a provider configuration by their callers. That approach was ambiguous and is now deprecated.\n\nIf you control this module, you can migrate to the new declaration syntax by removing all of the empty provider ${quoteText(name)} blocks and then adding or updating an entry like the following to the required_providers block of ${this.#moduleText}:\n    ${name} = {\n      source = ${quoteText(source.display)}\n${aliasLines}    }`,
        first,
      );
    }
  }

  #warn(summary: string, detail: string, range: Range | undefined): void {
    this.#diagnostics.push(warningDiagnostic(summary, detail, range));
  }

  #fail(summary: string, detail: string, range: Range | undefined): void {
    this.#diagnostics.push(errorDiagnostic(summary, detail, range));
  }
}

/** Returns the provider that a module declares for a local name, by requirement or provider block. */
function declaredType(module: Module, localName: string): ProviderSource | undefined {
  const required = module.requiredProviders.get(localName);
  if (required !== undefined) return required.source;
  for (const provider of module.providers.values()) {
    if (provider.name === localName) return defaultSource(localName);
  }
  return undefined;
}
