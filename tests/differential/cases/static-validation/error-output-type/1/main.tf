output "keyword" {
  type  = nothing
  value = 1
}
output "quoted" {
  type  = "string"
  value = 1
}
output "bare" {
  type  = list
  value = 1
}
