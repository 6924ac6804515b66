// A key provider of OpenTofu's protocol: the key is made from what is kept.
import { createHash } from 'node:crypto';

let input = '';
process.stdin.on('data', (chunk) => (input += chunk));
process.stdin.on('end', () => {
  const secret = process.argv[2] ?? '';
  const key = (salt) => createHash('sha256').update(secret).update(salt).digest('base64');
  const meta = JSON.parse(input);
  const answer = {
    keys: { encryption_key: key('one') },
    meta: { external_data: { salt: 'one' } },
  };
  if (meta !== null) answer.keys.decryption_key = key(meta.external_data.salt);
  console.log('{"magic":"OpenTofu-External-Key-Provider","version":1}');
  console.log(JSON.stringify(answer));
});
