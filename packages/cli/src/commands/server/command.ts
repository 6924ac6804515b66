import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { SERVER_FLAGS } from './flags.ts';

/** `terrane server` */
export const command: Command = {
  name: 'server',
  summary: 'Start a run server for teams',
  flags: SERVER_FLAGS,
  help: `
Usage: terrane [global options] server [options]

  Starts a server with the API of HCP Terraform, on PostgreSQL: remote states,
  queued runs with approvals, variables, teams and an audit log, for clients
  with a "cloud" block or the "remote" backend. Any number of servers can
  share a database. Runs are executed by "terrane agent".

  The connection string of the database is in the environment variable
  TERRANE_DATABASE_URL.

  "terrane server -dev" needs nothing: it starts a server on this machine
  with a database and an agent in the same process, creates a user, and prints
  how to use it.

Options:

  -dev                      Start everything on this machine, to try it.

  -listen=address           The address to listen on; 127.0.0.1:8443 by default.

  -url=url                  The URL that clients use, if it differs.

  -data=dir                 With -dev, the directory for the database, keys and
                            certificates; .terrane-server by default.

  -tls-cert=file            The certificate of the server with its chain, and
  -tls-key=file             its key, as PEM files.

  -behind-proxy             Speak HTTP, because a proxy in front of the server
                            ends TLS.

  -encryption-config=file   The file with the key provider and method that
                            encrypt secrets in the database, in the form of the
                            "encryption" block with a "plan" target.

  -log-format=format        The format of the log on standard error: "text", or
                            "json" with an entry for each request and change of
                            a run. TF_LOG sets the level; without it, text has
                            warnings and errors, and JSON has all but details.

  -rate-limit=n             Requests per second of each token and address
                            without one; 30 by default. 0: no limits.

  -oidc-issuer=url          Sign in with an OpenID Connect provider, and
  -oidc-client-id=id        the ID of the client that is registered there. Its
                            secret is in TERRANE_OIDC_CLIENT_SECRET. Its
                            redirect URI is URL/app/-/single-sign-on/callback.

  -oidc-groups-claim=name   The claim with the groups of a user, which are
                            matched with the SSO team IDs of teams; "groups" by
                            default.

  -smtp=url                 The mail server for e-mail notifications, such as
                            smtps://user@mail.example.com:465. The password is
                            in TERRANE_SMTP_PASSWORD.

  -mail-from=address        The sender of e-mails.

  -blob-storage=file        Store large plans, states and archives, encrypted,
                            in the backend that the file describes with a
                            "backend" block, such as "s3".

  -blob-storage-from=bytes  The size from which on they are stored there;
                            1048576 by default.

  -blob-storage-limit=bytes The largest plan, configuration and provider that
                            is stored there; 268435456 by default, at most
                            1073741824. The database has at most 67108864.

  -move-blobs=where         Move stored contents into the blob storage
                            ("storage") or the database ("database"), and end.

  -create-user=email        Create the first user, print its token, and end.

  -create-organization=name With -create-user, an organization that the user
                            owns.

  -create-agent-token       Print a token for agents, and end.

  -allow-destination=dest   Permit notifications and other requests to this host
                            name, address or network, such as 10.0.0.0/8, which
                            is not on the internet. May be repeated.

  -create-metrics-token     Print a token that reads /metrics, and end.

  -pass-env=name            With -dev, pass this environment variable to runs.
                            May be repeated.
`,
  async run(args, context) {
    const parsed = parseFlags(SERVER_FLAGS, args);
    return await (await import('./run.ts')).runServerCommand(parsed, context);
  },
};
