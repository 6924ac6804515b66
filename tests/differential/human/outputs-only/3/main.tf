output "text" {
  value = "two"
}
output "longer_name" {
  value = 1
}
output "list" {
  value = ["a", { b = 2 }, null]
}
output "new" {
  value = { k = toset(["x"]) }
}
output "multi" {
  value = "line 1\nline 2\nline 3"
}
