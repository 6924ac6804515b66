resource "terraform_data" "shrinks" {
  count = 1
}
resource "terraform_data" "reader" {
  input = []
}
resource "terraform_data" "late_reader" {
  input = [terraform_data.reader.output]
}
resource "terraform_data" "last" {
  input = [terraform_data.shrinks[*].id, terraform_data.late_reader.output]
}
