locals {
  a = 1 === 1
  b = 1 = 1
  c = 1 & 2
  d = 1 | 2
  e = 2 ** 3
  f = 1 <> 2
  g = a ?? b
  h = a ~ b
  i = `x`
  j = 2 ^ 3
}
