variable "v" {
  default = "1"
}
resource "local_file" "f" {
  filename = "f.txt"
  content  = var.v
}
data "local_file" "self" {
  filename = "${path.module}/main.tf"
}
data "local_file" "by_name" {
  filename = local_file.f.id == "" ? "" : local_file.f.filename
}
data "local_file" "after" {
  filename   = "f.txt"
  depends_on = [local_file.f]
}
check "content" {
  data "local_file" "checked" {
    filename   = "f.txt"
    depends_on = [local_file.f]
  }
  assert {
    condition     = data.local_file.checked.content == "2"
    error_message = "The file holds ${data.local_file.checked.content}."
  }
}
output "length" {
  value = length(data.local_file.self.content) > 0
}
output "after" {
  value = data.local_file.after.content
}
