import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { AGENT_FLAGS } from './flags.ts';

/** `terrane agent` */
export const command: Command = {
  name: 'agent',
  summary: 'Execute the runs of a run server',
  flags: AGENT_FLAGS,
  help: `
Usage: terrane [global options] agent [options]

  Takes runs from a server that "terrane server" has started, and executes
  them with this program, or with "terraform" or "tofu" if their workspace has
  one of them as its engine. The state and its journal are replicated to the
  server during a run: if an agent is lost, another one continues its run from
  the server's copy.

  The token is in the environment variable TERRANE_AGENT_TOKEN. The server
  prints one with "terrane server -create-agent-token".

  The first interrupt stops taking runs, and waits for those in progress.

Options:

  -server=url         The URL of the server, such as https://runs.example.com.

  -name=name          The name of the agent; that of the machine by default.

  -concurrency=n      The limit of concurrent runs; 1 by
                      default.

  -data=dir           The directory for the files of runs, which are removed
                      afterwards; .terrane-agent by default.

  -pass-env=name      Pass this environment variable to the runs, such as
                      AWS_REGION. May be repeated. No others are passed, except
                      for PATH, HOME and those of proxies and certificates.

  -programs=dir       The directory of the programs "terraform" and "tofu", also
                      with a version as in "terraform-1.11.4", for workspaces
                      that have one of them as their engine. By default, those
                      on the PATH are used.

  -insecure           Permit an http:// URL of a server on another machine. The
                      token, the states and the variables of runs are then
                      readable on the network.

  -single             End after one run.

  -idle-seconds=n     With -single, end if there is no run for this time.

  -log-format=format  The format of messages: "text", or "json" for an object
                      in each line on standard error.

  -kubernetes-job=file
                      Execute nothing, and create a Kubernetes Job for each
                      waiting run, in the cluster in which this agent runs. The
                      file has the manifest of a Job in JSON, whose container
                      runs "terrane agent -single -idle-seconds=120". At most
                      -concurrency Jobs exist at the same time.

  -kubernetes-namespace=name
                      The namespace of the Jobs; that of the agent by default.
`,
  async run(args, context) {
    const parsed = parseFlags(AGENT_FLAGS, args);
    return await (await import('./run.ts')).runAgentCommand(parsed, context);
  },
};
