/** Tests of terraform-ls whose answers differ on purpose, with the reason. */
export const INTENDED_DIFFERENCES: Readonly<Record<string, string>> = {
  TestModuleCompletion_withValidData_basic:
    'schema of a mocked program; schemas come from installed providers',
  TestModuleCompletion_withValidDataAndSnippets:
    'schema of a mocked program; schemas come from installed providers',
  TestDocumentLink_withValidData: 'links lead to the registry page of providers that are required',
  TestCompletionResolve_withoutHook: 'items are complete, so there is nothing to resolve',
  TestLangServer_codeAction_basic:
    'formatting is no code action; it has requests of its own, also for ranges',
  TestCodeLens_referenceCount: 'counts are a setting, without a command of the client',
  TestCodeLens_referenceCount_crossModule: 'counts are a setting, without a command of the client',
  TestLangServer_formatting_oldVersion: 'formatting does not depend on an installed Terraform',
  TestLangServer_formatting_diffBug:
    'one edit a line instead of one for several; the text is the same',
  TestLangServer_workspace_symbol_basic: 'named by address; blocks of unknown types are no symbols',
  TestLangServer_workspace_symbol_missing:
    'named by address; blocks of unknown types are no symbols',
  TestVarsHover_withValidData: 'the range is the name, not the whole definition',
  TestInitialize_withInvalidRootURI: 'the workspace folder is ignored, files can still be opened',
};

/** Tests of terraform-ls whose answers Terrane should give and does not yet, with what is missing. */
export const KNOWN_GAPS: Readonly<Record<string, string>> = {};
