resource "terraform_data" "goes" {}
resource "terraform_data" "goes_late" {
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "shrinks" {
  count = 2
}
resource "terraform_data" "reader" {
  input = [terraform_data.goes.id]
}
resource "terraform_data" "late_reader" {
  input = [terraform_data.goes_late.id, terraform_data.reader.id]
}
resource "terraform_data" "last" {
  input = [terraform_data.shrinks[*].id, terraform_data.late_reader.id]
}
