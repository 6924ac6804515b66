e = "extra.tfvars"
f = "extra.tfvars"
