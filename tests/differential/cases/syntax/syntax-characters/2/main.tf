output "a" {
  value = 1 & 2
}
output "b" {
  value = a ; b
}
output "c" { value = 'abc' }
output "d" { value = `abc` }
output "e" { value = 1 | 2 }
output "f" { value = ~1 }
output "g" { value = 2 ** 3 }
output "h" { value = “x” }
output "i" { value = a ^ b }
output "j" { value = @foo }
output "k" { value = $foo }
output "l" { value = #foo }
output "m" { value = a = b }
output "n" { value = !== }
