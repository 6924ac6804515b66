resource "terraform_data" "single" {
  input = { a = [1, "two"], s = sensitive("hidden"), m = "line 1\nline 2" }
}

resource "terraform_data" "many" {
  count = 2
  input = count.index
}

module "m" {
  source = "./m"
}
