// An encryption method of OpenTofu's protocol: bytes and key combined, for tests only.
let input = '';
process.stdin.on('data', (chunk) => (input += chunk));
process.stdin.on('end', () => {
  const { key = '', payload } = JSON.parse(input);
  const secret = Buffer.from(key === '' ? 'Kg==' : key, 'base64');
  const bytes = Buffer.from(payload, 'base64').map((byte, i) => byte ^ secret[i % secret.length]);
  console.log('{"magic":"OpenTofu-External-Encryption-Method","version":1}');
  console.log(JSON.stringify({ payload: Buffer.from(bytes).toString('base64') }));
});
