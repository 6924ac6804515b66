resource "terraform_data" "r" {
  count = 2
  input = { i = count.index, n = "n${count.index}" }
}
module "m" {
  source = "./m"
  text   = <<-EOT
    line ${1 + 1}
      more
  EOT
  list   = terraform_data.r[*].output.n
  set    = [for r in terraform_data.r : r.input.i]
  map    = { for i, r in terraform_data.r : i => r.input.n }
  object = terraform_data.r[0]
  cond   = length(terraform_data.r) > 1 ? { a = 1 } : {}
  any    = [1, "x", terraform_data.r[1].id]
  tuple  = [1, terraform_data.r[0].output.i]
}
output "all" { value = module.m.all }
