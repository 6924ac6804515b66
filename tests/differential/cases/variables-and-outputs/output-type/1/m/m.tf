output "o" {
  type  = object({ a = string, b = optional(number, 5) })
  value = { a = true, c = "dropped" }
}
output "l" {
  type  = list(string)
  value = ["a", 1]
}
