resource "terraform_data" "wide" {
  count = 20
  input = count.index
}

resource "terraform_data" "collect" {
  input = [for w in terraform_data.wide : w.output]
}

resource "terraform_data" "again" {
  count = 5
  input = terraform_data.collect.output[count.index] * 2
}

output "sum" {
  value = sum(terraform_data.again[*].output)
}
