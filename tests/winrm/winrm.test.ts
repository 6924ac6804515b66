// remote-exec and file over WinRM, against a server that speaks the protocol, as Terraform does it.
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../backends/self-signed.ts';
import { TERRANE } from '../ssh/both-programs.ts';
import { applied, besideTerraform, type Outcome, type Task } from './beside-terraform.ts';
import { inShort, PASSWORD, type ServerOptions, type Trouble } from './winrm-server.ts';

/** A resource with a connection and provisioners. */
function config(connection: string, provisioners: string): string {
  return `resource "terraform_data" "x" {
  input = "the input"
  connection {
    type     = "winrm"
    host     = "127.0.0.1"
    port     = PORT
    user     = "Builder"
    password = ${JSON.stringify(PASSWORD)}
    ${connection}
  }
${provisioners}
}
`;
}

function inline(...lines: readonly string[]): string {
  return `  provisioner "remote-exec" {
    inline = ${JSON.stringify(lines)}
  }`;
}

const FILE = `  provisioner "file" {
    content     = "x"
    destination = "C:/x"
  }`;

/** Applies by both programs, which must ask, do and say the same. */
async function same(name: string, task: Task): Promise<Outcome> {
  const [ours, theirs] = await besideTerraform(name, task);
  expect(ours).toEqual(theirs);
  return ours;
}

describe('over WinRM', () => {
  it('scripts of every kind run, and their output is printed', async () => {
    const { code, shown, problems, files, open } = await same('scripts', {
      files: { 'one.cmd': 'echo one\r\n', 'two.cmd': 'echo two 1>&2\necho Grüße, 世界\n' },
      config: config(
        '',
        `  provisioner "remote-exec" {
    inline = [
      "echo hello \${self.output}",
      "echo <&> 'marks' \\"and\\" %PATH%",
      "silence",
      "echo after a silence",
      "<nul set /p=no end of line",
    ]
  }
  provisioner "remote-exec" {
    script = "one.cmd"
  }
  provisioner "remote-exec" {
    scripts = ["\${path.module}/two.cmd", "one.cmd"]
    connection {
      type        = "winrm"
      host        = "127.0.0.1"
      script_path = "C:/Scripts/run.cmd"
    }
  }`,
      ),
    });
    expect(problems).toBe('');
    expect(code).toBe(0);
    for (const line of ['Connected!', 'hello the input', 'Grüße, 世界', 'no end of line']) {
      expect(shown.join('\n')).toContain(`terraform_data.x (remote-exec): ${line}`);
    }
    expect(shown).toContain('terraform_data.x (remote-exec):   Password: true');
    expect(shown.join('\n')).not.toContain(PASSWORD);
    expect(Object.keys(files)).toContain(String.raw`C:\Scripts\run.cmd`);
    expect(open).toEqual({ shells: 0, commands: 0 });
  });

  it('files, texts and directories are uploaded to their destination', async () => {
    const large = Array.from({ length: 12_000 }, (_none, at) => `line ${at}\n`).join('');
    const { problems, files, open } = await same('files', {
      files: {
        'a.txt': 'a\n',
        'large.txt': large,
        'dir/b.txt': 'b\n',
        'dir/.DS_Store': 'no',
        'dir/sub/c.txt': 'c',
        'dir/sub/deep/name with spaces': "it's d\n",
      },
      config: config(
        '',
        [
          ['source = "a.txt"', 'C:/new/a-copy.txt'],
          ['source = "${path.module}/large.txt"', String.raw`C:\\large.txt`],
          ['content = "text of \\u00e9\\n"', '$env:TEMP/text'],
          ['content = "in a folder with spaces"', "'C:/Program Files/x.txt'"],
          ['source = "dir"', 'C:/there'],
          ['source = "dir/"', 'C:/contents/'],
        ]
          .map(
            ([what, where]) => `  provisioner "file" {
    ${what}
    destination = "${where}"
  }`,
          )
          .join('\n'),
      ),
    });
    expect(problems).toBe('');
    expect(files[String.raw`C:\large.txt`]).toBe(inShort(large));
    expect(files).toMatchObject({
      [String.raw`C:\new\a-copy.txt`]: 'a\n',
      [String.raw`C:\Users\Builder\Temp\text`]: 'text of é\n',
      [String.raw`C:\Program Files\x.txt`]: 'in a folder with spaces',
      [String.raw`C:\there\sub\deep\name with spaces`]: "it's d\n",
      [String.raw`C:\contents\sub\c.txt`]: 'c',
    });
    expect(Object.keys(files).filter((path) => /DS_Store|\.tmp$/.test(path))).toEqual([]);
    expect(open).toEqual({ shells: 0, commands: 0 });
  });

  it('scripts that fail are reported; later ones do not run, or run with on_failure', async () => {
    const failed = await same('failing', {
      config: config('', [inline('echo before', 'exit /b 3'), inline('echo never')].join('\n')),
    });
    expect(failed.code).toBe(1);
    expect(failed.problems).toContain('"C:/Temp/terraform_RAND.cmd" exit status: 3');
    expect(failed.shown).not.toContain('terraform_data.x (remote-exec): never');
    const goesOn = await same('failing-and-going-on', {
      config: config(
        '',
        `${inline('exit /b -1073741510').replace('\n  }', '\n    on_failure = continue\n  }')}
${inline('echo after it')}`,
      ),
    });
    expect(goesOn.code).toBe(0);
    expect(goesOn.shown).toContain('terraform_data.x (remote-exec): after it');
    const restarted = await same('restarting', { config: config('', inline('shutdown /r')) });
    expect(restarted.problems).toContain(
      'error executing "C:/Temp/terraform_RAND.cmd": unknown error Post "http://127.0.0.1:PORT/wsman": EOF',
    );
  });

  it('sensitive values hide the output', async () => {
    const { shown } = await same('sensitive', {
      config: config('', inline('echo ${sensitive("hush")}').replace('\\"hush\\"', '"hush"')),
    });
    expect(shown.join('\n')).not.toContain('hush');
    expect(shown).toContain(
      'terraform_data.x (remote-exec): (output suppressed due to sensitive value in config)',
    );
  });

  it.each(['Negotiate', 'NTLM'] as const)('a password is proved by %s', async (login) => {
    const { problems, shown, logins } = await same(`ntlm-${login}`, {
      server: { login },
      config: config('use_ntlm = true', inline('echo in')),
    });
    expect(problems).toBe('');
    expect(shown).toContain('terraform_data.x (remote-exec): in');
    expect(logins.filter((line) => line !== 'none')).toContain(`${login} proves it`);
  });

  it('a password is proved for a user of a domain too', async () => {
    const { problems, logins } = await same('ntlm-domain', {
      server: { login: 'Negotiate' },
      config: config('use_ntlm = true', inline('echo in')).replace(
        '"Builder"',
        () => String.raw`"WINBOX\\Builder"`,
      ),
    });
    expect(problems).toBe('');
    expect(logins).toContain('Negotiate proves it');
  });

  const CERTIFICATE = selfSigned('127.0.0.1');
  const TLS: ServerOptions = { tls: { cert: CERTIFICATE.certificate, key: CERTIFICATE.key } };

  it.each([
    ['by its certificate', 'cacert', 'cacert = file("ca.pem")'],
    ['whoever it is', 'insecure', 'insecure = true'],
  ])('over HTTPS a machine is trusted %s', async (_how, name, argument) => {
    const { problems, shown } = await same(`https-${name}`, {
      server: TLS,
      files: { 'ca.pem': CERTIFICATE.certificate },
      config: config(`https = true\n${argument}`, inline('echo in')),
    });
    expect(problems).toBe('');
    expect(shown).toContain('terraform_data.x (remote-exec): in');
  });

  it('scripts are not uploaded to directories that Windows cleans up', async () => {
    const { code, problems } = await same('script-path', {
      config: config('script_path = "C:/Windows/Temp/x.cmd"', inline('echo never')),
    });
    expect(code).toBe(1);
    expect(problems).toContain('Using the C:\\Windows\\Temp folder is not supported.');
  });

  it.concurrent.each([
    ['nobody listens', 'refused', { port: 1 }, 'connect: connection refused'],
    [
      'the certificate is a stranger',
      'stranger',
      { server: TLS },
      'x509: certificate signed by unknown authority',
    ],
    [
      'the server is none of WinRM',
      'no-winrm',
      { server: always({ kind: 'status', status: 200, type: 'text/html', body: 'hello' }) },
      'http response error: 200 - invalid content type',
    ],
    ['the connection always breaks', 'breaking', { server: always({ kind: 'close' }) }, 'EOF'],
    [
      'the server has a fault of its own',
      'broken',
      { server: always({ kind: 'status', status: 503, type: 'text/plain', body: '' }) },
      'http response error: 503 - invalid content type',
    ],
  ] as const)(
    'if %s, the error is reported after the time-out',
    async (_what, name, task, expected) => {
      const { code, problems } = await same(`unreachable-${name}`, {
        ...task,
        config: config(
          `timeout = "15s"\n${'server' in task && 'tls' in task.server ? 'https = true' : ''}`,
          inline('echo never'),
        ).replace('= PORT', 'port' in task ? '= 1' : '= PORT'),
      });
      expect(code).toBe(1);
      expect(problems).toContain('timeout - last error: ');
      expect(problems).toContain(expected);
    },
  );

  it.concurrent('a machine that answers only later is tried again', async () => {
    const { problems, shown } = await same('later', {
      server: {
        trouble: (action, before) =>
          action === 'Create' && before === 0
            ? { kind: 'status', status: 503, type: 'text/plain', body: '' }
            : undefined,
      },
      config: config('timeout = "60s"', inline('echo in')),
    });
    expect(problems).toBe('');
    expect(shown).toContain('terraform_data.x (remote-exec): in');
  });

  it('an upload that the machine refuses is an error of file', async () => {
    const [ours, theirs] = await besideTerraform('refused-upload', {
      config: config(
        '',
        '  provisioner "file" {\n    content     = "x"\n    destination = "C:/Protected/x"\n  }',
      ),
    });
    const expected = String.raw`Upload failed: Error restoring file from $env:TEMP\TEMPORARY to C:\Protected\x: restore operation returned code=1`;
    for (const { code, problems } of [ours, theirs]) {
      expect(code).toBe(1);
      expect(problems).toContain(expected);
    }
    // There, the messages of the machine are written elsewhere.
    expect(ours.problems).toContain(`${expected}: Access to the path`);
    expect(ours.files).toEqual({});
  });

  it('an upload without enough disk space is an error, and leaves no files', async () => {
    const { code, problems, files, open } = await applied(TERRANE, {
      config: config('', FILE),
      server: { machine: { isFull: true } },
    });
    expect(code).toBe(1);
    expect(problems).toContain(
      String.raw`Upload failed: Error uploading file to $env:TEMP\TEMPORARY: upload operation returned code=1: There is not enough space on the disk.`,
    );
    expect([files, open]).toEqual([{}, { shells: 0, commands: 0 }]);
  });

  it.concurrent.each([
    ['basic', 'Basic', '', 'by basic authentication; it offers Basic'],
    ['ntlm', 'Negotiate', 'use_ntlm = true', 'by NTLM; it offers Negotiate'],
    ['only-ntlm', 'Negotiate', '', 'by basic authentication; it offers Negotiate'],
  ] as const)(
    'a wrong password or authentication is an error after the time-out: %s',
    async (name, login, argument, expected) => {
      const [ours, theirs] = await besideTerraform(`refused-${name}`, {
        server: { login },
        config: config(`timeout = "15s"\n${argument}`, FILE).replace(
          name === 'only-ntlm' ? 'never' : /password = .*/,
          'password = "not-this-one"',
        ),
      });
      // Terraform says no more than that what it was answered is of another type.
      const text = 'timeout - last error: http response error: 401 - ';
      expect(theirs.problems).toContain(`${text}invalid content type`);
      expect(ours.problems).toContain(`${text}the machine does not let in this user`);
      expect(ours.problems).toContain(expected);
      expect(ours.problems).not.toContain('not-this-one');
      expect({ ...ours, problems: '' }).toEqual({ ...theirs, problems: '' });
    },
  );

  it.concurrent('a password for NTLM is never sent for basic authentication', async () => {
    const { problems, logins } = await applied(TERRANE, {
      server: { login: 'Basic' },
      config: config('timeout = "15s"\nuse_ntlm = true', FILE),
    });
    expect(problems).toContain('by NTLM; it offers Basic');
    expect(logins).toEqual(['none wrong']);
  });

  it.concurrent('a rejected request is an error, where Terraform continues', async () => {
    const fault: Trouble = { kind: 'fault', code: '5', reason: 'Access is denied.' };
    const [ours, theirs] = await besideTerraform('fault', {
      server: { trouble: (action) => (action === 'Create' ? fault : undefined) },
      config: config('timeout = "15s"', FILE),
    });
    expect([theirs.code, theirs.problems, theirs.files]).toEqual([0, '', {}]);
    expect(ours.code).toBe(1);
    expect(ours.problems).toContain('timeout - last error: http error 500: Access is denied.');
    const command = await applied(TERRANE, {
      server: { trouble: (action) => (action === 'Command' ? fault : undefined) },
      config: config('', FILE),
    });
    expect(command.problems).toContain(
      String.raw`Upload failed: Error uploading file to $env:TEMP\TEMPORARY: http error 500: Access is denied.`,
    );
    expect(command.open).toEqual({ shells: 0, commands: 0 });
  });

  it('an interrupt ends a script, on the machine too', async () => {
    const { code, problems, shown, open } = await applied(TERRANE, {
      interruptAt: '(remote-exec): begun',
      config: config('', inline('echo begun', 'hang')),
    });
    expect(code).toBe(1);
    expect(shown).toContain('terraform_data.x (remote-exec): begun');
    expect(problems).toContain('error executing "C:/Temp/terraform_RAND.cmd": interrupted');
    expect(open).toEqual({ shells: 0, commands: 0 });
  });

  it('an interrupt ends the waiting for a machine', async () => {
    const { code, problems } = await applied(TERRANE, {
      interruptAt: 'CACert: false',
      server: always({ kind: 'never' }),
      config: config('', inline('echo never')),
    });
    expect(code).toBe(1);
    expect(problems).toContain('interrupted - last error: ');
  });

  it('several provisioners use one machine concurrently, each authenticated separately', async () => {
    const { code, problems, shown, open } = await applied(TERRANE, {
      parallelism: 10,
      server: { login: 'Negotiate' },
      config: config('use_ntlm = true', `  count = 6\n${inline('echo number ${count.index}')}`),
    });
    expect([code, problems]).toEqual([0, '']);
    expect(shown.filter((line) => / number \d$/.test(line))).toHaveLength(6);
    expect(open).toEqual({ shells: 0, commands: 0 });
  });

  it('invalid certificates are an error immediately', async () => {
    const { code, problems } = await applied(TERRANE, {
      config: config('https = true\ncacert = "ca.pem"', FILE),
    });
    expect(code).toBe(1);
    expect(problems).toContain(
      'Unable to read certificates: "cacert" is to hold certificates in PEM',
    );
  });

  it('a missing source is an error of file', async () => {
    const { problems } = await same('no-source', {
      config: config(
        '',
        '  provisioner "file" {\n    source      = "none"\n    destination = "C:/x"\n  }',
      ),
    });
    expect(problems).toContain('stat none: no such file or directory');
  });
});

/** A server with which the same goes wrong always. */
function always(trouble: Trouble): ServerOptions {
  return { trouble: () => trouble };
}
