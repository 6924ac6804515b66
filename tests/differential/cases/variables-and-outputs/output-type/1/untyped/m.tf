output "t" {
  type  = set(string)
  value = ["b", "a"]
}
output "any" {
  type  = any
  value = [1]
}
