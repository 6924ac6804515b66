resource "local_file" "a" {
  filename = "a.txt"
  content  = "one"
}
resource "local_file" "b" {
  filename = "b.txt"
  content  = "two"
}
resource "terraform_data" "user" {
  input = local_file.a.content_md5
}
output "checksum" {
  value = local_file.a.id
}
