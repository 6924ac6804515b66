export { openTofuForm } from './dialect-function.ts';
export { loadFunctionLibraries } from './libraries.ts';
export { functionSignatures } from './signatures.ts';
export type { FunctionSignature, ParameterSignature } from './signatures.ts';
export { functionTable, isDeterminedByArguments } from './table.ts';
export type { FunctionPorts, FunctionTableOptions } from './table.ts';
export { typeInside } from './type-function.ts';
export { withoutEphemeral } from './without-ephemeral.ts';
export { decodeYaml } from './yaml-decode.ts';
