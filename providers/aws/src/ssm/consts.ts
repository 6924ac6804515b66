/** Codes of errors that say that there is no such parameter. */
export const NO_PARAMETER: readonly string[] = ['ParameterNotFound', 'InvalidResourceId'];
