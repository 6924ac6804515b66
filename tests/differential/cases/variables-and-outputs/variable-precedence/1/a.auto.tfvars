d = "a.auto.tfvars"
e = "a.auto.tfvars"
