variable "declared" { default = 1 }
locals { name = 1 }
