resource "terraform_data" "r" {
  input = [1, "1", true, null, { a = [] }]
}
