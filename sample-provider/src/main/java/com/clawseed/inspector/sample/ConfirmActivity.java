package com.clawseed.inspector.sample;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;

/** The Provider's own screen (7.2): what exactly is about to happen, and two buttons. */
public final class ConfirmActivity extends Activity {
    private static final int PADDING_PX = 48;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        String question = Confirmations.questionOf(getIntent().getData());
        if (question == null) {
            finish();
            return;
        }
        LinearLayout column = new LinearLayout(this);
        column.setOrientation(LinearLayout.VERTICAL);
        column.setPadding(PADDING_PX, PADDING_PX, PADDING_PX, PADDING_PX);
        TextView text = new TextView(this);
        text.setText(question);
        column.addView(text);
        column.addView(button("Allow", Confirmations.Decision.ALLOWED, RESULT_OK));
        column.addView(button("Deny", Confirmations.Decision.DENIED, RESULT_CANCELED));
        setContentView(column);
    }

    private Button button(String label, final Confirmations.Decision decision, final int resultCode) {
        Button button = new Button(this);
        button.setText(label);
        button.setFilterTouchesWhenObscured(true);
        button.setOnClickListener(new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                Confirmations.decide(getIntent().getData(), decision);
                setResult(resultCode);
                finish();
            }
        });
        return button;
    }
}
