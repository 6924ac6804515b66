output "text" {
  value = "with \"quotes\" and ünïcödé"
}

output "number" {
  value = 1.5
}

output "flag" {
  value = true
}

output "object" {
  value = { b = [1, "two", null], a = { nested = true } }
}

output "secret" {
  value     = { password = "p4ss" }
  sensitive = true
}

output "multi" {
  value = "first\nsecond\n  third\n"
}

output "nil" {
  value = null
}

output "set" {
  value = toset(["b", "a"])
}

output "map" {
  value = tomap({ k = "v", "odd key" = "w" })
}
