// What the help of several commands says of options that they share.

/** Of `-lock` and `-lock-timeout`. */
export const LOCK_HELP = `  -lock=false         Don't lock the state while working. This is dangerous if
                      others might run commands for the same workspace at the
                      same time.

  -lock-timeout=0s    How long to wait for a lock that somebody else holds.
`;

/** Of `-json` and `-json-into`. */
export const JSON_HELP = `  -json               Print one JSON object a line, for programs.

  -json-into=path     Write what -json prints into this file or pipe, besides
                      what people are shown.
`;

/** Of `-var` and `-var-file`, where only the settings of the backend and the like need them. */
export const SETTINGS_VARIABLES_HELP = `  -var 'foo=bar'      Give a value to a variable. Only where the state is kept
                      and the like are worked out with it; -var-file=filename
                      likewise.
`;
