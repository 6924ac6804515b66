terraform {
  required_providers {
    n = {
      source  = "hashicorp/null"
      version = ">= 3.0, < 4, != 3.1.0"
    }
  }
}
