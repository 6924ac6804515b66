data "local_file" "d" {
  filename = "main.tf"
}
resource "terraform_data" "many" {
  count = 1
}
resource "terraform_data" "by_data" {
  lifecycle {
    replace_triggered_by = [data.local_file.d]
  }
}
resource "terraform_data" "by_missing" {
  lifecycle {
    replace_triggered_by = [terraform_data.many[4]]
  }
}
