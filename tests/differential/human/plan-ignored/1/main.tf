resource "local_file" "f" {
  filename             = "f.txt"
  content              = "one"
  file_permission      = "0600"
  directory_permission = "0700"
}
resource "time_static" "p" {
  rfc3339 = "2020-01-01T00:00:00Z"
  triggers = {
    a = "1"
    b = "2"
  }
}
resource "time_static" "t" {
  rfc3339 = "2020-01-01T00:00:00Z"
}
resource "terraform_data" "ignored" {
  input = { a = 1, b = 2 }
  lifecycle {
    ignore_changes = [input]
  }
}
