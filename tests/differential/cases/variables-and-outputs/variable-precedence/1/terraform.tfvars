b = "terraform.tfvars"
c = "terraform.tfvars"
d = "terraform.tfvars"
