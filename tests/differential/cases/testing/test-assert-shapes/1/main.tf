output "l" { value = ["a", "b", { c = 1 }] }
output "m" { value = { a = 1, b = [1, 2], c = null } }
output "n" { value = null }
output "st" { value = toset(["x", "y"]) }
output "num" { value = 12345678901234567890 }
output "f" { value = 0.1 }
output "b" { value = true }
output "s" { value = "line1\nline2\n" }
output "e" { value = "" }
output "ll" { value = range(50) }
output "long" { value = join(",", range(80)) }
locals { loc = { x = { y = "z" } } }
