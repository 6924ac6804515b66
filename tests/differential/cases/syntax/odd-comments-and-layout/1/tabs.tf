	output		"tabs"	{	value	=	1	}
