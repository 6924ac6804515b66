tfvars = "terraform.tfvars"
order  = "terraform.tfvars"
both   = "terraform.tfvars"
map    = { a = "${"x"}", (upper("b")) = "no functions" }
