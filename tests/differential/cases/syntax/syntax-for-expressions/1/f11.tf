output "l" { value = [for "x" in [] : x] }
