variable "v" {}
locals { l = 1 }
module "m" { source = "./m" }
resource "terraform_data" "a" {}
resource "terraform_data" "b" {
  depends_on = [
    terraform_data.a.id,
    terraform_data.a[0],
    terraform_data.nope,
    var.v,
    var.nope,
    local.l,
    local.nope,
    module.m,
    module.m.out,
    module.nope,
    data.x.y,
    path.module,
    each.key,
    self,
    count.index,
    terraform.workspace,
    terraform_data,
    foo,
    "terraform_data.a",
    "${terraform_data.a}",
    terraform_data.a[*],
    1,
    null,
    [terraform_data.a],
  ]
}
